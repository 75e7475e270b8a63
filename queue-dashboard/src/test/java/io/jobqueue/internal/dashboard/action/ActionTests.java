package io.jobqueue.internal.dashboard.action;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.web.util.UriComponentsBuilder;

import io.jobqueue.JobInfo;
import io.jobqueue.JobRequest;
import io.jobqueue.JobState;
import io.jobqueue.internal.dashboard.DashboardTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Actions on one job.
 */
class ActionTests extends DashboardTestBase {

	private static final JobRequest LATER = JobRequest.of("emails", Map.of("to", "Ada"))
		.type("mail")
		.delay(Duration.ofHours(1));

	private JobInfo job(UUID id) {
		return operations().find(id).orElseThrow();
	}

	@Test
	void jobIsCancelledAndRetried() {
		UUID job = enqueue(LATER);
		HttpResponse<String> cancelled = post("/jobs/" + job + "/cancel", Map.of("reason", "not <b>needed</b>"));
		assertThat(cancelled.statusCode()).isEqualTo(303);
		assertThat(cancelled.headers().firstValue("Location")).hasValueSatisfying(
				(location) -> assertThat(location).endsWith("/jobqueue/jobs/" + job + "?done=job.cancel"));
		assertThat(job(job).state()).isEqualTo(JobState.CANCELLED);
		assertThat(post("/jobs/" + job + "/retry", Map.of("reason", "")).statusCode()).isEqualTo(303);
		assertThat(job(job).state()).isEqualTo(JobState.READY);
		assertThat(
				this.sql.sql("SELECT operation || ' ' || coalesce(reason, '-') FROM jobqueue_operator_log ORDER BY at")
					.query(String.class)
					.list())
			.containsExactly("cancel not <b>needed</b>", "retry -");
	}

	@Test
	void jobIsRescheduled() {
		UUID job = enqueue(LATER);
		Instant before = Instant.now();
		post("/jobs/" + job + "/reschedule", Map.of("amount", "3", "unit", "days"));
		assertThat(job(job).runAt()).isBetween(before.plus(Duration.ofDays(3)).minusSeconds(1),
				Instant.now().plus(Duration.ofDays(3)));
		post("/jobs/" + job + "/run", Map.of());
		assertThat(job(job).state()).isEqualTo(JobState.READY);
		assertThat(this.sql.sql("SELECT value FROM jobqueue_operator_log ORDER BY at").query(String.class).list())
			.satisfiesExactly((time) -> assertThat(time).matches("[-\\d]+T[:\\d]+Z"),
					(now) -> assertThat(now).isEqualTo("now"));
	}

	@Test
	void priorityIsChanged() {
		UUID job = enqueue(LATER);
		assertThat(post("/jobs/" + job + "/reprioritise", Map.of("priority", "7")).statusCode()).isEqualTo(303);
		assertThat(job(job).priority().value()).isEqualTo(7);
	}

	@Test
	void copyIsShownAndJobIsDeleted() {
		UUID job = enqueue(LATER);
		operations().cancel(job);
		String copy = post("/jobs/" + job + "/replay", Map.of()).headers().firstValue("Location").orElseThrow();
		assertThat(copy).endsWith("?done=job.replay").doesNotContain(job.toString());
		assertThat(post("/jobs/" + job + "/delete", Map.of()).headers().firstValue("Location").orElseThrow())
			.endsWith("/jobqueue/jobs?done=job.delete");
		assertThat(operations().find(job)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			retry        |                    | 409 | has not started yet
			replay       |                    | 409 | has not finished
			release      |                    | 409 | does not wait for predecessors
			reprioritise | priority=100       | 400 | must be a number from 0 to 99, but is '100'
			reprioritise |                    | 400 | is missing: enter a number from 0 to 99
			reschedule   | amount=1           | 400 | is missing: enter minutes, hours or days
			reschedule   | amount=-1          | 400 | must be a number from 0 to 36500
			reschedule   | amount=1&unit=eons | 400 | must be minutes, hours or days
			reprioritise | prioritty=3        | 400 | Unknown parameter 'prioritty': the known ones are priority, reason
			cancel       | priority=3         | 400 | Unknown parameter 'priority': the known ones are reason
			explode      |                    | 404 | There is no action
			""")
	void whatIsNotPossibleIsASentence(String action, String fields, int status, String message) {
		UUID job = enqueue(LATER);
		HttpResponse<String> page = post("/jobs/" + job + "/" + action, form(fields));
		assertThat(page.statusCode()).isEqualTo(status);
		assertThat(page.body()).contains(message)
			.containsPattern("(?s)<h1>Not Found|href=\"/jobqueue/jobs/" + job + "\"");
		assertThat(job(job).state()).isEqualTo(JobState.SCHEDULED);
		assertThat(job(job).priority().value()).isEqualTo(10);
	}

	/**
	 * Also without a value, as the other one may be that of another form.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "3", "" })
	void fieldThatIsGivenTwiceIsRefused(String first) {
		UUID job = enqueue(LATER);
		HttpResponse<String> page = post("/jobs/" + job + "/reprioritise?priority=" + first, Map.of("priority", "4"));
		assertThat(page.statusCode()).isEqualTo(400);
		assertThat(page.body()).contains("'priority' is given more than once");
		assertThat(job(job).priority().value()).isEqualTo(10);
	}

	private static Map<String, String> form(@Nullable String fields) {
		return (fields != null)
				? UriComponentsBuilder.newInstance().query(fields).build().getQueryParams().toSingleValueMap()
				: Map.of();
	}

	@Test
	void unknownJobIsNotFound() {
		UUID none = UUID.randomUUID();
		assertThat(post("/jobs/" + none + "/cancel", Map.of()).statusCode()).isEqualTo(404);
		assertThat(post("/jobs/" + none + "/delete", Map.of()).statusCode()).isEqualTo(404);
		HttpResponse<String> invalid = post("/jobs/%3Cscript%3E/delete", Map.of());
		assertThat(invalid.statusCode()).isEqualTo(400);
		assertThat(invalid.body()).contains("&lt;script&gt;").doesNotContain("'<script>");
	}

	@Test
	void finishedJobIsNotCancelled() {
		UUID job = enqueue(LATER);
		operations().cancel(job);
		HttpResponse<String> page = post("/jobs/" + job + "/cancel", Map.of());
		assertThat(page.statusCode()).isEqualTo(409);
		assertThat(page.body()).contains("has finished already, and was not cancelled");
	}

	@Test
	void longReasonIsRefused() {
		UUID job = enqueue(LATER);
		HttpResponse<String> page = post("/jobs/" + job + "/cancel", Map.of("reason", HOSTILE));
		assertThat(page.statusCode()).isEqualTo(400);
		assertThat(page.body()).contains("must have at most 500 characters");
		assertThat(job(job).state()).isEqualTo(JobState.SCHEDULED);
	}

	@Test
	void formOfAnotherSiteChangesNothing() {
		UUID job = enqueue(LATER);
		assertThat(post("/jobs/" + job + "/cancel", Map.of(), "Sec-Fetch-Site", "cross-site").statusCode())
			.isEqualTo(403);
		assertThat(get("/jobs/" + job + "/cancel").statusCode()).isEqualTo(405);
		assertThat(job(job).state()).isEqualTo(JobState.SCHEDULED);
	}

}
