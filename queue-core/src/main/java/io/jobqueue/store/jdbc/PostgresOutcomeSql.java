package io.jobqueue.store.jdbc;

/**
 * What becomes of claimed jobs on PostgreSQL. Each statement names the claim, and changes
 * nothing where that was lost.
 */
final class PostgresOutcomeSql {

	static final String RENEW = """
			UPDATE jobqueue_job
			SET lease_until = statement_timestamp() + interval '2 seconds' + ? * interval '1 millisecond'
			WHERE id = ? AND claim = ? AND locked_by = ?
			""";

	static final String FINISH = """
			WITH gone AS (
			    DELETE FROM jobqueue_job j
			    USING unnest(?::uuid[], ?::bigint[], ?::text[], ?::text[], ?::bigint[])
			        AS o (id, claim, state, error, keep_millis)
			    WHERE j.id = o.id AND j.claim = o.claim AND j.locked_by = ?
			    RETURNING j.*, o.state, o.error, o.keep_millis
			), archived AS (
			    INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, keep_until, max_run_millis,
			                                  locked_by, attempts, failures, max_attempts, priority, state, queue, type,
			                                  payload, payload_bytes, headers, last_error)
			    SELECT id, seq, run_at, created_at, statement_timestamp(),
			           statement_timestamp() + keep_millis * interval '1 millisecond', max_run_millis,
			           locked_by, attempts, failures + (state = 'DEAD')::integer, max_attempts, priority, state, queue, type,
			           payload, payload_bytes, headers, coalesce(error, last_error)
			    FROM gone
			    WHERE keep_millis IS DISTINCT FROM 0
			)
			SELECT id FROM gone
			""";

	static final String RETRY_LATER = """
			UPDATE jobqueue_job j
			SET locked_by = NULL, claim = NULL, lease_until = NULL, failures = j.failures + 1, last_error = o.error,
			    run_at = statement_timestamp() + o.delay_millis * interval '1 millisecond'
			FROM unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::text[]) AS o (id, claim, delay_millis, error)
			WHERE j.id = o.id AND j.claim = o.claim AND j.locked_by = ?
			RETURNING j.id, j.queue, j.priority, j.run_at, j.seq,
			          date_part('epoch', j.run_at - statement_timestamp()) * 1000 AS due_in_millis
			""";

	static final String RELEASE = """
			UPDATE jobqueue_job j
			SET locked_by = NULL, claim = NULL, lease_until = NULL, attempts = j.attempts - 1
			FROM unnest(?::uuid[], ?::bigint[]) AS o (id, claim)
			WHERE j.id = o.id AND j.claim = o.claim AND j.locked_by = ?
			RETURNING j.id, j.queue, j.priority, j.run_at, j.seq,
			          date_part('epoch', j.run_at - statement_timestamp()) * 1000 AS due_in_millis
			""";

	static final String SNOOZE = """
			UPDATE jobqueue_job j
			SET locked_by = NULL, claim = NULL, lease_until = NULL, attempts = j.attempts - 1,
			    run_at = statement_timestamp() + o.delay_millis * interval '1 millisecond'
			FROM unnest(?::uuid[], ?::bigint[], ?::bigint[]) AS o (id, claim, delay_millis)
			WHERE j.id = o.id AND j.claim = o.claim AND j.locked_by = ?
			RETURNING j.id, j.queue, j.priority, j.run_at, j.seq,
			          date_part('epoch', j.run_at - statement_timestamp()) * 1000 AS due_in_millis
			""";

	static final String END_CLAIMS = """
			DELETE FROM jobqueue_claim WHERE worker_id = ? AND claim = ANY (?::bigint[])
			""";

	private PostgresOutcomeSql() {
	}

}
