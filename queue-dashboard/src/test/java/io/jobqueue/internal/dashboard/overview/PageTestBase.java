package io.jobqueue.internal.dashboard.overview;

import java.time.Instant;
import java.util.UUID;

import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.servlet.function.RouterFunctions;

import io.jobqueue.internal.dashboard.DashboardApplication;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.DashboardTestBase;
import io.jobqueue.internal.dashboard.view.Views;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * Renders pages that have read nothing yet: those of the application cache what they have
 * read for the test before.
 */
abstract class PageTestBase extends DashboardTestBase {

	private static final String PATH = "/jobqueue";

	protected final Views views = DashboardApplication.bean(Views.class);

	protected final PostgresStores stores = DashboardApplication.bean(PostgresStores.class);

	/**
	 * Return the HTML of a page, with one space for all white space between words.
	 */
	protected final String page(DashboardRoutes routes, String path) throws Exception {
		MockMvcTester mvc = MockMvcTester
			.create(MockMvcBuilders.routerFunctions(RouterFunctions.route().path(PATH, routes::addTo).build()).build());
		return mvc.get().uri(PATH + path).exchange().getResponse().getContentAsString().replaceAll("\\s+", " ");
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
