package io.jobqueue.internal.dashboard.overview;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.servlet.function.RouterFunctions;

import io.jobqueue.JobRequest;
import io.jobqueue.Priority;
import io.jobqueue.internal.boot.alert.Alerts;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.dashboard.DashboardApplication;
import io.jobqueue.internal.dashboard.view.Views;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.worker.JobWorker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The overview.
 */
class OverviewPageTests extends PageTestBase {

	/**
	 * Those of the jobs of an earlier test have not recovered before the next
	 * measurements.
	 */
	@BeforeEach
	void awaitNoAlerts() {
		Alerts alerts = DashboardApplication.bean(Alerts.class);
		await().atMost(Duration.ofMinutes(1)).until(() -> {
			alerts.runOnce();
			return alerts.current().isEmpty();
		});
	}

	@Test
	void firstVisitSaysHowToBegin() throws Exception {
		assertThat(overview()).contains("There is no job and no worker yet.", "@JobHandler")
			.doesNotContain("<table", "All is well.");
	}

	@Test
	void queuesAreShownWithTheirJobs() throws Exception {
		worker("host:1", "emails,letters", "now()");
		enqueue(mail("emails"));
		enqueue(mail("emails").delay(Duration.ofHours(1)));
		enqueue(mail("emails").priority(Priority.REPORTING));
		String html = overview();
		assertThat(html).contains("All is well.", "user-visible", "reporting", "href=\"/jobqueue/jobs?queue=letters\"",
				"href=\"/jobqueue/jobs?queue=emails&amp;state=READY\"",
				"href=\"/jobqueue/jobs?queue=emails&amp;state=SCHEDULED\"", "host:1");
		assertThat(html).doesNotContain("state=RUNNING");
	}

	@Test
	void problemsLinkToThePagesThatMendThem() throws Exception {
		enqueue(mail("reports"));
		operations().pause("invoices");
		assertThat(overview()).contains("<data value=\"2\">2</data> problems",
				"<a href=\"/jobqueue/workers\"><bdi>No living worker serves queue reports</bdi></a>",
				"<a href=\"/jobqueue/pauses\"><bdi>Queue invoices was paused</bdi></a>",
				"No worker is registered: nothing runs until");
	}

	@Test
	void furtherProblemsOpenOnDemand() throws Exception {
		for (int number = 1; number <= 8; number++) {
			operations().pause("q" + number);
		}
		assertThat(overview())
			.containsPattern("(?s)more</summary>.*Queue q7 was paused.*Queue q8 was paused.*</details>")
			.contains("and <data value=\"2\">2</data> more</summary>");
	}

	/**
	 * Jobs of the last minute count when it is over, as those that leave do.
	 */
	@Test
	void ratesAreThoseOfTheLastFiveMinutes() throws Exception {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
					SELECT (lpad(to_hex((extract(epoch FROM now() - a * interval '2 minutes') * 1000)::bigint), 12, '0') || '7000'
					        || right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid, now(), now(), 10, 'emails', 'mail', '{}'
					FROM generate_series(1, 6), unnest(ARRAY[-1, 1, 5]) a;
					INSERT INTO jobqueue_statistics (at, minutes, worker_id, queue, priority, succeeded, failed, dead, cancelled, run_times)
					SELECT now() - a * interval '2 minutes', 1, gen_random_uuid(), 'emails', 10, 9, 0, 0, 0, '{}'
					FROM unnest(ARRAY[0, 1, 5]) a
					""")
			.update();
		assertThat(overview()).containsPattern("data-label=\"In/min\">\\s*<data value=\"1.2\">1.2</data>")
			.containsPattern("data-label=\"Out/min\">\\s*<data value=\"1.8\">1.8</data>");
	}

	@Test
	void cappedNumbersSayIt() throws Exception {
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
				SELECT gen_random_uuid(), now(), now(), 10, 'emails', 'mail', '{}' FROM generate_series(1, 10001)
				""").update();
		assertThat(overview()).contains("<data value=\"10000\">10,000</data><abbr title=\"or more\">+</abbr>");
	}

	@Test
	void fewWorkersAreShownAndTheOthersAreCounted() throws Exception {
		for (int number = 0; number < 7; number++) {
			worker("host:" + number, "emails", "now()");
		}
		assertThat(overview()).contains("host:4", "All <data value=\"7\">7</data> workers").doesNotContain("host:5");
	}

	@Test
	void hostileTextIsText() throws Exception {
		UUID worker = worker(HOSTILE, HOSTILE, "now()");
		UUID job = enqueue(mail("emails"));
		this.sql.sql("UPDATE jobqueue_job SET queue = ?, type = ?").params(HOSTILE, HOSTILE).update();
		claim(worker, job, 1, Instant.now(), Instant.now().plusSeconds(60));
		this.sql.sql("INSERT INTO jobqueue_pause (paused_at, queue, type, paused_by) VALUES (now(), ?, ?, ?)")
			.params(List.of(HOSTILE, HOSTILE, HOSTILE))
			.update();
		assertThat(overview()).contains("&lt;script&gt;alert(").doesNotContain("<script>alert", "&amp;${");
		assertThat(page("/workers")).contains("&lt;script&gt;alert(").doesNotContain("<script>alert", "&amp;${");
	}

	@Test
	void workersShowWhatTheyRun() throws Exception {
		UUID worker = worker("host:1", "emails", "now()");
		worker("host:2", "emails", "now() - interval '5 minutes'");
		Instant now = Instant.now();
		claim(worker, enqueue(mail("emails")), 1, now.minusSeconds(10), now.plusSeconds(60));
		claim(worker, enqueue(mail("emails")), 2, now.minusSeconds(600), now.plusSeconds(60));
		UUID stuck = enqueue(mail("emails"));
		claim(worker, stuck, 3, now.minusSeconds(4_000), now.minusSeconds(3_000));
		assertThat(page("/workers")).contains("none for 5m", "href=\"/jobqueue/jobs/" + stuck + "\"", ">stuck<",
				">slow<", "for 1h 6m", "since 50m");
		assertThat(overview()).contains("1 handler is stuck", "1 handler is slow", "1 worker sends no heartbeat");
	}

	@Test
	void workersShowHowManyHandlersTheyRun() {
		UUID worker = worker("host:1", "emails,letters", "now()");
		this.sql.sql("""
				INSERT INTO jobqueue_worker_queue (worker_id, queue, concurrency, min_priority, max_priority, types)
				VALUES (?, 'emails', 16, 0, 99, '{}')
				""").param(worker).update();
		claim(worker, enqueue(mail("emails")), 1, Instant.now(), Instant.now().plusSeconds(60));
		assertThat(page("/workers")).contains("emails ×16, letters<", ">Running</abbr>",
				"<data value=\"1\">1</data> running");
		assertThat(page("")).contains("data-label=\"Running\"", ">Running</abbr>").doesNotContain(">Runs<");
	}

	@Test
	void withoutWorkersTheirPageSaysWhatToDo() {
		assertThat(page("/workers")).contains("No worker is registered", "jobqueue.worker.enabled");
	}

	@Test
	void overviewOfTheApplicationIsRouted() {
		assertThat(page("")).contains("<h1>Overview</h1>");
		assertThat(page("/")).contains("<h1>Overview</h1>");
	}

	/**
	 * Return an overview that does not continue the scan of the test before, which would
	 * miss new queues if that was slow.
	 */
	private static String overview() throws Exception {
		ObjectProvider<JobWorker> noWorker = new StaticListableBeanFactory().getBeanProvider(JobWorker.class);
		OverviewRoutes routes = new OverviewRoutes(DashboardApplication.bean(Views.class),
				DashboardApplication.bean(PostgresStores.class), DashboardApplication.bean(Alerts.class),
				DashboardApplication.bean(NodeSettings.class), noWorker);
		MockMvc mvc = MockMvcBuilders.routerFunctions(RouterFunctions.route().path("/jobqueue", routes::addTo).build())
			.build();
		return mvc.perform(MockMvcRequestBuilders.get("/jobqueue"))
			.andReturn()
			.getResponse()
			.getContentAsString()
			.replaceAll("\\s+", " ");
	}

	private static JobRequest mail(String queue) {
		return JobRequest.of(queue, Map.of("to", "Ada")).type("mail");
	}

}
