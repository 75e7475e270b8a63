package io.jobqueue.internal.dashboard.recurring;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.internal.dashboard.DashboardApplication;
import io.jobqueue.internal.dashboard.DashboardTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page of schedules.
 */
class RecurringTests extends DashboardTestBase {

	private final RecurringJobs schedules = DashboardApplication.bean(RecurringJobs.class);

	private static RecurringJobRequest digest(String name) {
		return RecurringJobRequest.of(name, JobRequest.of("emails", Map.of("to", "secret")).type("Digest"))
			.cron("0 0 7 * * MON-FRI")
			.zone(ZoneId.of("Europe/Berlin"));
	}

	private String page(String parameters) {
		HttpResponse<String> page = get("/recurring" + parameters);
		assertThat(page.statusCode()).isEqualTo(200);
		return page.body();
	}

	private String run(String action, String name) {
		HttpResponse<String> response = post("/recurring/" + action, Map.of("name", name));
		assertThat(response.statusCode()).as(response.body()).isEqualTo(303);
		return response.headers().firstValue("Location").orElseThrow();
	}

	@Test
	void withoutSchedules() {
		assertThat(page("?namePrefix=none")).contains("No schedule has a name that begins like this.");
	}

	@Test
	void scheduleIsShownWithItsNextTicks() {
		this.schedules.save(digest("digest-42"));
		this.schedules.save(RecurringJobRequest.of("rate", JobRequest.of("reports", Map.of()).type("Report"))
			.fixedRate(Duration.ofMinutes(90)));
		String page = page("?namePrefix=");
		assertThat(page)
			.contains("<span>digest-42</span>", "Digest in queue emails", "Monday to Friday at 07:00",
					"<code>0 0 7 * * MON-FRI</code>", "Europe/Berlin", "saved at run time", "none yet", "every 1h 30m")
			.doesNotContain("secret");
		assertThat(page.split("<time ", -1)).hasSize(1 + 6);
	}

	@Test
	void scheduleRunsNow() {
		this.schedules.save(digest("run/now?&"));
		assertThat(page("?namePrefix=run")).contains("/recurring/trigger?name=run%2Fnow%3F%26");
		assertThat(run("trigger", "run/now?&")).endsWith("/recurring?done=schedule.trigger");
		assertThat(page("?namePrefix=run/"))
			.contains("/jobs/" + this.schedules.find("run/now?&").orElseThrow().lastJob())
			.contains("state-ready");
	}

	@Test
	void scheduleIsPausedResumedAndDeleted() {
		this.schedules.save(digest("nightly"));
		assertThat(run("pause", "nightly")).endsWith("done=schedule.pause");
		assertThat(page("?namePrefix=n")).contains(">paused<", ">Resume<").doesNotContain(">Pause<");
		run("resume", "nightly");
		assertThat(page("?namePrefix=ni")).contains(">Pause<").doesNotContain(">paused<", ">Resume<");
		run("delete", "nightly");
		assertThat(this.schedules.find("nightly")).isEmpty();
		assertThat(post("/recurring/delete", Map.of("name", "nightly")).statusCode()).isEqualTo(404);
		assertThat(post("/recurring/pause", Map.of("name", "nightly")).statusCode()).isEqualTo(404);
		assertThat(post("/recurring/pause", Map.of()).statusCode()).isEqualTo(400);
		assertThat(post("/recurring/pause", Map.of("name", "nightly", "raeson", "x")).statusCode()).isEqualTo(400);
		assertThat(post("/recurring/other", Map.of("name", "nightly")).statusCode()).isEqualTo(404);
	}

	@Test
	void declaredScheduleIsNotDeletedHere() {
		this.schedules.save(digest("declared"));
		this.sql.sql("UPDATE jobqueue_recurring SET declared = true").update();
		assertThat(page("?namePrefix=decl")).contains(">declared<", ">Run now<").doesNotContain(">Delete<");
	}

	/**
	 * A worker that declares it would have had its tick.
	 */
	@Test
	void scheduleThatIsNoLongerDeclaredIsDeleted() {
		this.schedules.save(digest("gone"));
		this.sql.sql("UPDATE jobqueue_recurring SET declared = true, next_at = now() - interval '5 minutes'").update();
		assertThat(page("?namePrefix=gone")).contains("declared, but by no living worker",
				"An application that declares it stores it again", "/recurring/delete?name=gone");
		Schedule declaredHere = Schedule.of(this.schedules.find("gone").orElseThrow(), true);
		assertThat(declaredHere.overdue()).isTrue();
		assertThat(declaredHere.abandoned()).isFalse();
		run("delete", "gone");
		assertThat(this.schedules.find("gone")).isEmpty();
	}

	@Test
	void actionsAreLoggedWithTheirReason() {
		this.schedules.save(digest("noted"));
		for (String action : List.of("trigger", "pause", "resume", "delete")) {
			assertThat(page("?namePrefix=noted")).contains("name=\"reason\"");
			post("/recurring/" + action, Map.of("name", "noted", "reason", action + " for <Ada>"));
		}
		assertThat(this.sql.sql("SELECT reason FROM jobqueue_operator_log WHERE reason IS NOT NULL")
			.query(String.class)
			.list())
			.containsExactlyInAnyOrder("trigger for <Ada>", "pause for <Ada>", "resume for <Ada>", "delete for <Ada>");
		this.schedules.save(digest("noted"));
		assertThat(post("/recurring/pause", Map.of("name", "noted", "reason", " ")).statusCode()).isEqualTo(303);
		assertThat(post("/recurring/pause", Map.of("name", "noted", "reason", "x".repeat(501))).statusCode())
			.isEqualTo(400);
	}

	@Test
	void overdueScheduleIsMarked() {
		this.schedules.save(digest("late"));
		assertThat(page("?namePrefix=l")).doesNotContain("overdue");
		this.sql.sql("UPDATE jobqueue_recurring SET next_at = now() - interval '5 minutes', skipped = 1234").update();
		assertThat(page("?namePrefix=la").split("<time ", -1)).hasSize(1 + 1);
		assertThat(page("?namePrefix=lat")).contains("overdue", "<data value=\"1234\">1,234</data>");
	}

	@Test
	void schedulesArePaged() {
		for (int number = 100; number < 151; number++) {
			this.schedules.save(digest("page-" + number));
		}
		assertThat(page("?namePrefix=page")).contains("page-149", "after=page-149", "Next page")
			.doesNotContain("page-150");
		assertThat(page("?namePrefix=page&after=page-149")).contains("page-150", "First page")
			.doesNotContain("page-149<");
	}

	@Test
	void textIsShownAsText() {
		this.schedules.save(digest("hostile"));
		this.sql.sql("UPDATE jobqueue_recurring SET name = ?, type = ?, cron = ?, queue = ?")
			.params(HOSTILE, HOSTILE, HOSTILE, HOSTILE)
			.update();
		assertThat(page("?namePrefix=%3C")).doesNotContain("<script>alert").contains("&lt;script&gt;alert(");
		assertThat(page("?namePrefix=%22%3E%3Cscript%3E")).doesNotContain("<script>\"").contains("&#34;>&lt;script>");
	}

}
