package io.jobqueue.benchmark.chaos;

import java.util.List;
import java.util.Map;

import io.jobqueue.benchmark.frame.Result;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Compares the ticks of schedules with their jobs. The schedules are paused, and no job
 * is left to run.
 */
final class TickChecker {

	/**
	 * A row for each tick from the first to the last one that enqueued a job, and for
	 * each tick that a job names. A tick needs a job if no policy of its schedule leaves
	 * it out.
	 */
	private static final String FATES = """
			WITH due AS (
			    SELECT name AS schedule, misfire = 'ALL' AND overlap = 'ALLOW' AS needed,
			           generate_series(anchor_at + rate_millis * interval '1 millisecond', last_at,
			                           rate_millis * interval '1 millisecond') AS tick
			    FROM jobqueue_recurring
			), job AS (
			    SELECT id, type, job_group, headers, state = 'SUCCEEDED' AS succeeded FROM jobqueue_archive
			    UNION ALL
			    SELECT id, type, job_group, headers, false FROM jobqueue_job
			), ticked AS (
			    SELECT coalesce(job_group, type) AS schedule, tick,
			           succeeded AND EXISTS (SELECT FROM chaos_tick t WHERE t.job_id = j.id AND t.scheduled_at = tick)
			               AS ended
			    FROM job j, CAST(CAST(headers AS jsonb) ->> 'jobqueue.scheduled-at' AS timestamptz) AS tick
			    WHERE type LIKE 'tick%'
			), fate AS (
			    SELECT schedule, tick, bool_or(needed) AS needed, bool_or(needed) IS NULL AS undue, count(ended) AS jobs,
			           count(*) FILTER (WHERE ended) AS ended
			    FROM due
			    FULL JOIN ticked USING (schedule, tick)
			    GROUP BY schedule, tick
			)
			""";

	private static final String VERDICT = FATES + """
			SELECT count(*) FILTER (WHERE needed) AS ticks,
			       coalesce(sum(greatest(jobs, needed::integer) - ended), 0) AS lost,
			       coalesce(sum(CASE WHEN undue THEN jobs ELSE greatest(jobs - 1, 0) END), 0) AS doubled
			FROM fate
			""";

	private static final String SUSPECTS = FATES + """
			SELECT schedule, tick, needed, undue, jobs, ended
			FROM fate
			WHERE undue OR jobs > 1 OR ended < jobs OR needed AND jobs = 0
			ORDER BY schedule, tick
			LIMIT 20
			""";

	private final JdbcClient sql;

	TickChecker(JdbcClient sql) {
		this.sql = sql;
	}

	/**
	 * Check all ticks.
	 */
	TickVerdict check() {
		return this.sql.sql(VERDICT).query(TickVerdict.class).single();
	}

	/**
	 * Return the first ticks that were lost or doubled, with what is known of them.
	 */
	List<Map<String, @Nullable Object>> suspects() {
		return this.sql.sql(SUSPECTS).query().listOfRows();
	}

	/**
	 * What became of the ticks.
	 *
	 * @param ticks how many needed a job
	 * @param lost ticks without the job they needed, and jobs of ticks that did not come
	 * to their end or succeeded without their effect
	 * @param doubled jobs of a tick beyond the first, and jobs whose tick the schedule
	 * does not have
	 */
	record TickVerdict(long ticks, long lost, long doubled) {

		static final String LOST = "lost_ticks";

		static final String DOUBLED = "doubled_ticks";

		Result addTo(Result result) {
			return result.withCount("ticks", this.ticks).withCount(LOST, this.lost).withCount(DOUBLED, this.doubled);
		}

	}

}
