package io.jobqueue.internal.dashboard.overview;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

import io.jobqueue.JobRequest;
import io.jobqueue.Priority;
import io.jobqueue.internal.boot.alert.Alerts;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.dashboard.DashboardApplication;
import io.jobqueue.internal.worker.JobWorker;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The overview.
 */
class OverviewPageTests extends PageTestBase {

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
		String page = overview();
		assertThat(page).contains("All is well.", "user-visible", "reporting", "href=\"/jobqueue/jobs?queue=letters\"",
				"href=\"/jobqueue/jobs?queue=emails&amp;state=READY\"",
				"href=\"/jobqueue/jobs?queue=emails&amp;state=SCHEDULED\"", "host:1");
		assertThat(page).doesNotContain("state=RUNNING");
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
	void rateOfTheLastMinutesIsKnownAtOnce() throws Exception {
		for (int job = 0; job < 6; job++) {
			enqueue(mail("emails"));
		}
		assertThat(overview()).containsPattern("data-label=\"In/min\">\\s*<data value=\"1.2\">1.2</data>");
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
		for (String path : List.of("", "/workers")) {
			assertThat(page(routes(), path)).contains("&lt;script&gt;alert(")
				.doesNotContain("<script>alert", "&amp;${");
		}
	}

	@Test
	void workersShowWhatTheyRun() throws Exception {
		UUID worker = worker("host:1", "emails", "now()");
		worker("host:2", "emails", "now() - interval '5 minutes'");
		Instant now = Instant.now();
		claim(worker, enqueue(mail("emails")), 1, now.minusSeconds(10), now.plusSeconds(60));
		claim(worker, enqueue(mail("emails")), 2, now.minusSeconds(600), now.plusSeconds(60));
		UUID stuck = enqueue(mail("emails"));
		claim(worker, stuck, 3, now.minusSeconds(4_000), now.minusSeconds(1));
		assertThat(page(routes(), "/workers")).contains("none for 5m", "href=\"/jobqueue/jobs/" + stuck + "\"",
				">stuck<", ">slow<", "for 1h 6m");
		assertThat(overview()).contains("1 handler is stuck", "1 handler is slow", "1 worker sends no heartbeat");
	}

	@Test
	void withoutWorkersTheirPageSaysWhatToDo() throws Exception {
		assertThat(page(routes(), "/workers")).contains("No worker is registered", "jobqueue.worker.enabled");
	}

	@Test
	void pagesOfTheApplicationAreRouted() {
		for (String path : List.of("", "/", "/workers")) {
			assertThat(get(path).statusCode()).isEqualTo(200);
		}
	}

	private String overview() throws Exception {
		return page(routes(), "");
	}

	private OverviewRoutes routes() {
		ObjectProvider<JobWorker> none = new StaticListableBeanFactory().getBeanProvider(JobWorker.class);
		return new OverviewRoutes(this.views, this.stores, DashboardApplication.bean(Alerts.class),
				DashboardApplication.bean(NodeSettings.class), none);
	}

	private static JobRequest mail(String queue) {
		return JobRequest.of(queue, Map.of("to", "Ada")).type("mail");
	}

}
