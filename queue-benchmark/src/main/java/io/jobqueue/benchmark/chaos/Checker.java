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
	 * All records of a job, in one row for each. Those of ticks have a checker of their
	 * own.
	 */
	private static final String FATES = """
			WITH effect AS (
			    SELECT job_id AS id, count(*) AS times, min(done_at) AS done_at, bool_or(early) AS early
			    FROM chaos_effect GROUP BY job_id
			), fate AS (
			    SELECT id, o.delivery, a.state, coalesce(e.times, 0) AS times, j.live, coalesce(e.early, false) AS early,
			           date_part('epoch', e.done_at - o.ordered_at) AS seconds,
			           CASE WHEN j.live OR o.delivery IS NULL THEN false
			                WHEN o.delivery = 'AT_MOST_ONCE' AND a.state = 'DEAD' THEN true
			                ELSE coalesce(a.state = 'SUCCEEDED' AND e.times > 0, false) END AS ended
			    FROM (SELECT job_id AS id, delivery, ordered_at FROM chaos_order) o
			    FULL JOIN (SELECT id, state FROM jobqueue_archive WHERE type NOT LIKE 'tick%') a USING (id)
			    FULL JOIN (SELECT id, true AS live FROM jobqueue_job WHERE type NOT LIKE 'tick%') j USING (id)
			    FULL JOIN effect e USING (id)
			)
			""";

	private static final String VERDICT = FATES + """
			SELECT count(*) FILTER (WHERE delivery IS NOT NULL) AS jobs,
			       count(*) FILTER (WHERE NOT ended) AS lost,
			       count(*) FILTER (WHERE delivery = 'TRANSACTIONAL' AND times > 1) AS doubled_transactional,
			       count(*) FILTER (WHERE delivery = 'AT_MOST_ONCE' AND times > 1) AS doubled_at_most_once,
			       count(*) FILTER (WHERE early) AS early,
			       coalesce(sum(times - 1) FILTER (WHERE delivery = 'AT_LEAST_ONCE' AND times > 1), 0) AS redelivered,
			       coalesce(avg((state = 'DEAD')::integer) FILTER (WHERE delivery = 'AT_MOST_ONCE'), 0) AS dead_share,
			       coalesce(percentile_cont(0.99) WITHIN GROUP (ORDER BY seconds), 0) AS recovery_seconds
			FROM fate
			""";

	private static final String SUSPECTS = FATES + """
			SELECT id, delivery, state, times, live, early
			FROM fate
			WHERE NOT ended OR early OR times > 1 AND delivery <> 'AT_LEAST_ONCE'
			ORDER BY id
			LIMIT 20
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
		return verdict.withLost(gone.size());
	}

	/**
	 * Return the first jobs that were lost or doubled, with what is known of them.
	 */
	List<Map<String, @Nullable Object>> suspects() {
		return this.sql.sql(SUSPECTS).query().listOfRows();
	}

}
