package io.jobqueue.internal.dashboard.action;

import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.jobqueue.JobInfo;
import io.jobqueue.JobRequest;
import io.jobqueue.JobState;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.internal.dashboard.DashboardApplication;
import io.jobqueue.internal.dashboard.DashboardTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each action on jobs of each live state: on the job itself, and on all jobs of a filter.
 */
@Tag("slow") // some 200 requests
class LiveJobActionTests extends DashboardTestBase {

	private static final Map<String, Map<String, String>> FIELDS = Map.of("reschedule",
			Map.of("amount", "3", "unit", "days"), "reprioritise", Map.of("priority", "7"));

	private UUID job(JobState state) {
		JobRequest request = JobRequest.of("emails", Map.of("to", "Ada")).type("mail");
		return switch (state) {
			case SCHEDULED -> enqueue(request.delay(Duration.ofHours(1)));
			case READY -> enqueue(request);
			case BLOCKED -> enqueue(request.after(enqueue(JobRequest.of("others", Map.of()).type("first"))));
			case RUNNING -> changed(enqueue(request), "locked_by = gen_random_uuid(), claim = 1");
			case RETRYING -> changed(enqueue(request.delay(Duration.ofHours(1))), "failures = 1");
			default -> throw new IllegalArgumentException(state + " is not live");
		};
	}

	private UUID changed(UUID job, String change) {
		this.sql.sql("UPDATE jobqueue_job SET %s WHERE id = ?".formatted(change)).param(job).update();
		return job;
	}

	/**
	 * Return what has become of a job.
	 */
	private String outcome(UUID job) {
		JobInfo info = operations().find(job).orElse(null);
		if (info == null) {
			return "gone";
		}
		String due = info.runAt().isAfter(Instant.now().plus(Duration.ofDays(2))) ? " later" : "";
		String requested = (info.details() != null && info.details().cancelRequested()) ? " cancel" : "";
		return info.state() + due + ((info.priority().value() == 7) ? " 7" : "") + requested;
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			SCHEDULED | retry        | 409 | SCHEDULED
			SCHEDULED | run          | 303 | READY
			SCHEDULED | reschedule   | 303 | SCHEDULED later
			SCHEDULED | reprioritise | 303 | SCHEDULED 7
			SCHEDULED | cancel       | 303 | CANCELLED
			SCHEDULED | delete       | 303 | gone
			SCHEDULED | replay       | 409 | SCHEDULED
			READY     | retry        | 409 | READY
			READY     | reschedule   | 303 | SCHEDULED later
			READY     | reprioritise | 303 | READY 7
			READY     | cancel       | 303 | CANCELLED
			READY     | delete       | 303 | gone
			READY     | replay       | 409 | READY
			RUNNING   | retry        | 409 | RUNNING
			RUNNING   | run          | 409 | RUNNING
			RUNNING   | reschedule   | 409 | RUNNING
			RUNNING   | reprioritise | 303 | RUNNING 7
			RUNNING   | cancel       | 303 | RUNNING cancel
			RUNNING   | delete       | 409 | RUNNING
			RUNNING   | replay       | 409 | RUNNING
			RETRYING  | retry        | 303 | READY
			RETRYING  | run          | 303 | READY
			RETRYING  | reschedule   | 303 | RETRYING later
			RETRYING  | reprioritise | 303 | RETRYING 7
			RETRYING  | cancel       | 303 | CANCELLED
			RETRYING  | delete       | 303 | gone
			RETRYING  | replay       | 409 | RETRYING
			BLOCKED   | release      | 303 | READY
			BLOCKED   | reprioritise | 303 | BLOCKED 7
			BLOCKED   | cancel       | 303 | CANCELLED
			BLOCKED   | delete       | 303 | gone
			BLOCKED   | replay       | 409 | BLOCKED
			""")
	void jobIsChangedOnItsPage(JobState state, String action, int status, String outcome) {
		UUID job = job(state);
		assertThat(post("/jobs/" + job + "/" + action, FIELDS.getOrDefault(action, Map.of())).statusCode())
			.isEqualTo(status);
		assertThat(outcome(job)).isEqualTo(outcome);
	}

	/**
	 * The fields are those of the form of the preview.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			RETRYING  | retry        | READY
			SCHEDULED | run          | READY
			READY     | reschedule   | SCHEDULED later
			RUNNING   | reprioritise | RUNNING 7
			RUNNING   | cancel       | RUNNING cancel
			BLOCKED   | cancel       | CANCELLED
			READY     | delete       | gone
			RUNNING   | delete       | RUNNING
			READY     | replay       | READY
			""")
	void jobIsChangedAsOneOfAFilter(JobState state, String action, String outcome) {
		UUID job = job(state);
		Map<String, String> form = new HashMap<>(FIELDS.getOrDefault(action, Map.of()));
		get("/bulk/" + action + "?queue=emails").body()
			.lines()
			.filter((line) -> line.contains("type=\"hidden\""))
			.forEach((line) -> form.put(line.replaceAll(".* name=\"([^\"]*)\".*", "$1"),
					line.replaceAll(".* value=\"([^\"]*)\".*|.*", "$1")));
		if (!form.containsKey("id")) {
			assertThat(outcome).isEqualTo(state.name());
			return;
		}
		HttpResponse<String> step = post("/bulk/" + action + "?queue=emails", form);
		assertThat(step.statusCode()).as(step.body()).isEqualTo(200);
		assertThat(outcome(job)).isEqualTo(outcome);
	}

	/**
	 * The lock of a statement that changes tables, which lasts until each action is
	 * answered.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = ';',
			textBlock = """
					jobqueue_job, jobqueue_archive, jobqueue_pause, jobqueue_recurring, jobqueue_operator_log; ACCESS EXCLUSIVE; /.*
					jobqueue_job, jobqueue_archive, jobqueue_recurring ; SHARE            ; /(bulk|recurring)/delete.*
					jobqueue_operator_log                              ; ACCESS EXCLUSIVE ; /recurring/(pause|resume|delete)
					""")
	@Timeout(120)
	@ExtendWith(OutputCaptureExtension.class)
	void actionsOnLockedTablesAreRefused(String tables, String mode, String refused, CapturedOutput output)
			throws Exception {
		String live = "/jobs/" + job(JobState.SCHEDULED) + "/";
		DashboardApplication.bean(RecurringJobs.class)
			.save(RecurringJobRequest.of("digest", JobRequest.of("emails", Map.of()).type("mail")).cron("0 0 3 * * *"));
		Map<String, String> step = Map.of("id", UUID.randomUUID().toString(), "began", Instant.now().toString(), "step",
				"0", "changed", "0", "skipped", "0", "jobs", "1");
		Map<String, Map<String, String>> actions = new LinkedHashMap<>();
		List.of("retry", "run", "reschedule", "reprioritise", "cancel", "delete", "release", "replay")
			.forEach((action) -> actions.put(live + action, FIELDS.getOrDefault(action, Map.of())));
		List.of("pause", "resume").forEach((action) -> actions.put("/queues/" + action, Map.of("queue", "emails")));
		List.of("trigger", "pause", "resume", "delete")
			.forEach((action) -> actions.put("/recurring/" + action, Map.of("name", "digest")));
		actions.put("/bulk/delete?queue=emails", step);
		actions.keySet().removeIf((path) -> !path.matches(refused));
		ExecutorService browsers = Executors.newFixedThreadPool(actions.size());
		try (Connection connection = DashboardApplication.database().dataSource().getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute("LOCK TABLE %s IN %s MODE".formatted(tables, mode));
			Map<String, Future<HttpResponse<String>>> answers = new LinkedHashMap<>();
			actions.forEach((path, form) -> answers.put(path, browsers.submit(() -> post(path, form))));
			for (Map.Entry<String, Future<HttpResponse<String>>> answer : answers.entrySet()) {
				HttpResponse<String> page = answer.getValue().get();
				assertThat(page.statusCode()).as(answer.getKey()).isEqualTo(503);
				assertThat(page.body()).as(answer.getKey()).contains("locked by another transaction");
			}
			connection.rollback();
		}
		finally {
			browsers.shutdown();
		}
		assertThat(output.getAll()).doesNotContain("\tat ");
	}

}
