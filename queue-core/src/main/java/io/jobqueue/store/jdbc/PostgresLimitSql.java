package io.jobqueue.store.jdbc;

/**
 * What keeps the claims of all workers within limits on PostgreSQL. All of it happens in
 * the transaction of the claim, one of a queue after the other.
 */
final class PostgresLimitSql {

	/**
	 * Tells the claim how many jobs it may take. What counts is whose claim is alive, and
	 * what was claimed within the last period. Where the clock has jumped back, claims
	 * from before lie ahead: those further ahead than a period do not count, the others
	 * until they are a period old.
	 */
	static final String ALLOW = """
			WITH limits AS (
			    SELECT ?::text AS queue, ?::integer AS concurrency, ?::integer AS rate,
			           statement_timestamp() - p.period AS since, statement_timestamp() + p.period AS until
			    FROM (SELECT ?::bigint * interval '1 millisecond' AS period) p
			), alive AS (
			    SELECT count(*) AS jobs
			    FROM limits l
			    JOIN jobqueue_claim c ON c.queue = l.queue AND c.limited
			    JOIN jobqueue_job j ON j.id = ANY (c.job_ids) AND j.claim = c.claim AND j.locked_by = c.worker_id
			    WHERE l.concurrency IS NOT NULL
			), recent AS (
			    SELECT coalesce(sum(r.jobs), 0) AS jobs, min(r.ended_at) AS first_at
			    FROM limits l JOIN jobqueue_rate r ON r.queue = l.queue AND r.ended_at > l.since AND r.ended_at <= l.until
			), allowed AS (
			    SELECT greatest(0, least(l.concurrency - a.jobs, l.rate - r.jobs)) AS quota,
			           CASE WHEN r.jobs >= l.rate THEN date_part('epoch', r.first_at - l.since) * 1000 END AS due_in_millis
			    FROM limits l CROSS JOIN alive a CROSS JOIN recent r
			)
			SELECT due_in_millis, set_config('jobqueue.quota', quota::text, true) FROM allowed
			""";

	/**
	 * Adds up what is claimed within a hundredth of the period, so that there are never
	 * many rows to count.
	 */
	static final String NOTE = """
			WITH limits AS (
			    SELECT ?::text AS queue, ?::bigint * interval '1 millisecond' AS period
			), outdated AS (
			    DELETE FROM jobqueue_rate r USING limits l
			    WHERE r.queue = l.queue AND (r.ended_at <= statement_timestamp() - l.period
			                                 OR r.ended_at > statement_timestamp() + l.period)
			), claimed AS (
			    SELECT cardinality(job_ids) AS jobs FROM jobqueue_claim WHERE worker_id = ? AND claim = ?
			), added AS (
			    UPDATE jobqueue_rate r
			    SET ended_at = statement_timestamp(), jobs = r.jobs + c.jobs
			    FROM limits l CROSS JOIN claimed c
			    WHERE r.queue = l.queue AND r.began_at > statement_timestamp() - l.period / 100
			      AND r.began_at <= statement_timestamp() AND r.ended_at <= statement_timestamp() + l.period
			    RETURNING r.began_at
			)
			INSERT INTO jobqueue_rate (queue, began_at, ended_at, jobs)
			SELECT l.queue, statement_timestamp(), statement_timestamp(), c.jobs
			FROM limits l CROSS JOIN claimed c
			WHERE NOT EXISTS (SELECT 1 FROM added)
			""";

	private PostgresLimitSql() {
	}

}
