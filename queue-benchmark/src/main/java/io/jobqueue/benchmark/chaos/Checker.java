package io.jobqueue.benchmark.chaos;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Compares what was ordered with what became of it. Nothing may be running any more.
 */
final class Checker {

	/**
	 * The callbacks of batches that are not sealed: they never run.
	 */
	static final String UNSEALED = """
			SELECT unnest(ARRAY[then_id, failure_id]) FROM jobqueue_batch WHERE sealed_at IS NULL
			""";

	/**
	 * All records of a job, in one row for each. Those of ticks have a checker of their
	 * own. Of the callbacks of a batch, one is expected, with the numbers of the members.
	 */
	private static final String FATES = """
			WITH batch AS (
			    SELECT c.job_id AS id, ARRAY[count(m.job_id), count(m.job_id) - count(a.id), count(a.id), 0] AS numbers,
			           count(a.id) > 0 AS failed
			    FROM chaos_order c
			    LEFT JOIN chaos_order m ON m.batch_id = c.callback_of
			    LEFT JOIN jobqueue_archive a ON a.id = m.job_id AND a.state <> 'SUCCEEDED'
			    WHERE c.callback_of IS NOT NULL
			    GROUP BY c.job_id
			), expected AS (
			    SELECT o.job_id AS id, o.delivery, o.ordered_at, b.numbers
			    FROM chaos_order o
			    LEFT JOIN batch b ON b.id = o.job_id
			    WHERE o.on_failure IS NULL OR o.on_failure = b.failed
			), effect AS (
			    SELECT e.job_id AS id, count(*) AS times, min(e.done_at) AS done_at, bool_or(e.early) AS early,
			           bool_or(o.numbers IS NOT NULL AND e.numbers IS DISTINCT FROM o.numbers) AS miscounted
			    FROM chaos_effect e
			    LEFT JOIN expected o ON o.id = e.job_id
			    GROUP BY e.job_id
			), fate AS (
			    SELECT id, o.delivery, a.state, coalesce(e.times, 0) AS times, j.live, coalesce(e.early, false) AS early,
			           o.numbers, coalesce(e.miscounted, false) AS miscounted,
			           date_part('epoch', e.done_at - o.ordered_at) AS seconds,
			           CASE WHEN j.live OR o.delivery IS NULL THEN false
			                WHEN o.delivery = 'AT_MOST_ONCE' AND a.state = 'DEAD' THEN true
			                ELSE coalesce(a.state = 'SUCCEEDED' AND e.times > 0, false) END AS ended
			    FROM expected o
			    FULL JOIN (SELECT id, state FROM jobqueue_archive WHERE type NOT LIKE 'tick%') a USING (id)
			    FULL JOIN (SELECT id, true AS live FROM (
			        SELECT id FROM jobqueue_job WHERE type NOT LIKE 'tick%' EXCEPT
			"""
			+ UNSEALED + """
					        ) l) j USING (id)
					    FULL JOIN effect e USING (id)
					)
					""";

	private static final String VERDICT = FATES + """
			SELECT count(*) FILTER (WHERE delivery IS NOT NULL) AS jobs,
			       count(*) FILTER (WHERE NOT ended) AS lost,
			       count(*) FILTER (WHERE delivery = 'TRANSACTIONAL' AND times > 1) AS doubled_transactional,
			       count(*) FILTER (WHERE delivery = 'AT_MOST_ONCE' AND times > 1) AS doubled_at_most_once,
			       count(*) FILTER (WHERE early) AS early,
			       count(*) FILTER (WHERE numbers IS NOT NULL) AS batches,
			       count(*) FILTER (WHERE miscounted) AS miscounted_batches,
			       coalesce(sum(times - 1) FILTER (WHERE delivery = 'AT_LEAST_ONCE' AND times > 1), 0) AS redelivered,
			       coalesce(avg((state = 'DEAD')::integer) FILTER (WHERE delivery = 'AT_MOST_ONCE'), 0) AS dead_share,
			       coalesce(percentile_cont(0.99) WITHIN GROUP (ORDER BY seconds), 0) AS recovery_seconds
			FROM fate
			""";

	private static final String SUSPECTS = FATES + """
			SELECT id, delivery, state, times, live, early, miscounted, numbers
			FROM fate
			WHERE NOT ended OR early OR miscounted OR times > 1 AND delivery <> 'AT_LEAST_ONCE'
			ORDER BY id
			LIMIT 20
			""";

	/**
	 * Steps of workflows without success, or without the result of their handler.
	 */
	private static final String UNFINISHED = """
			SELECT count(*)
			FROM jobqueue_workflow w JOIN jobqueue_workflow_step s ON s.workflow_id = w.id
			WHERE w.state <> 'SUCCEEDED' OR s.state <> 'SUCCEEDED'
			      OR s.type = 'repeatable' AND s.result IS DISTINCT FROM to_json(s.job_id)::text
			""";

	private final JdbcClient sql;

	Checker(JdbcClient sql) {
		this.sql = sql;
	}

	/**
	 * Check all jobs.
	 * @param acknowledged the jobs whose commit was acknowledged
	 */
	Verdict check(Collection<UUID> acknowledged) {
		Verdict verdict = this.sql.sql(VERDICT).query(Verdict.class).single();
		Set<UUID> gone = new HashSet<>(acknowledged);
		gone.removeAll(this.sql.sql("SELECT job_id FROM chaos_order").query(UUID.class).set());
		return verdict.withLost(gone.size() + this.sql.sql(UNFINISHED).query(Long.class).single());
	}

	/**
	 * Return the first jobs that were lost, doubled, early or miscounted, with what is
	 * known of them.
	 */
	List<Map<String, @Nullable Object>> suspects() {
		return this.sql.sql(SUSPECTS).query().listOfRows();
	}

}
