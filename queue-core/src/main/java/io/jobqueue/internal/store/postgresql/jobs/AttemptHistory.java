package io.jobqueue.internal.store.postgresql.jobs;

/**
 * The last attempts of a job, as SQL: a JSON array of at most ten objects. Only a job of
 * which an attempt has not succeeded has one.
 */
final class AttemptHistory {

	/**
	 * The worker is named here because its row is deleted when it stops.
	 */
	private static final String APPEND = """
			CASE WHEN jsonb_array_length(%1$s.history) >= 10 THEN %1$s.history - 0 ELSE coalesce(%1$s.history, '[]') END
			    || jsonb_strip_nulls(jsonb_build_object('attempt', %1$s.attempts, 'began', %2$s,
			           'ended', statement_timestamp(), 'worker', coalesce(
			               (SELECT w.name FROM jobqueue_worker w WHERE w.id = %1$s.locked_by), %1$s.locked_by::text),
			           'outcome', %3$s, 'error', left(split_part(%4$s, E'\\n', 1), 500),
			           'fingerprint', %5$s))""";

	private AttemptHistory() {
	}

	/**
	 * Return the history with one more attempt.
	 * @param job the relation of the claimed job
	 * @param began when the attempt began
	 * @param outcome its outcome in lower case
	 * @param error its error, of which the first line is kept
	 * @param fingerprint what failures like this one have in common
	 */
	static String append(String job, String began, String outcome, String error, String fingerprint) {
		return APPEND.formatted(job, began, outcome, error, fingerprint);
	}

}
