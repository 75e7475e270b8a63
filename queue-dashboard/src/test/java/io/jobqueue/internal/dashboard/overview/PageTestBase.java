package io.jobqueue.internal.dashboard.overview;

import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.UUID;

import io.jobqueue.internal.dashboard.DashboardTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pages, and rows that workers would write.
 */
abstract class PageTestBase extends DashboardTestBase {

	/**
	 * Return the HTML of a page, with one space for all white space between words.
	 */
	protected final String page(String path) {
		HttpResponse<String> response = get(path);
		assertThat(response.statusCode()).isEqualTo(200);
		return response.body().replaceAll("\\s+", " ");
	}

	/**
	 * Register a worker with a heartbeat that is as old as given.
	 */
	protected final UUID worker(String name, String queues, String lastActiveAt) {
		UUID id = UUID.randomUUID();
		this.sql
			.sql("""
					INSERT INTO jobqueue_worker (id, last_active_at, started_at, timeout_millis, service, idle, name, queues, limits,
					                             application)
					VALUES (?, %s, now() - interval '2 hours', 60000, ?, true, ?, ?, ?, ?)
					"""
				.formatted(lastActiveAt))
			.params(id, id, name, queues, name, name)
			.update();
		return id;
	}

	/**
	 * Let a worker have claimed a job.
	 */
	protected final void claim(UUID worker, UUID job, int claim, Instant since, Instant until) {
		this.sql.sql("UPDATE jobqueue_job SET locked_by = ?, claim = ?, lease_until = ?::timestamptz WHERE id = ?")
			.params(worker, claim, until.toString(), job)
			.update();
		this.sql
			.sql("""
					INSERT INTO jobqueue_claim (worker_id, claim, expires_at, max_attempts, queue, job_ids, claimed_at)
					SELECT locked_by, claim, lease_until, 25, queue, ARRAY[id], ?::timestamptz FROM jobqueue_job WHERE id = ?
					""")
			.params(since.toString(), job)
			.update();
	}

}
