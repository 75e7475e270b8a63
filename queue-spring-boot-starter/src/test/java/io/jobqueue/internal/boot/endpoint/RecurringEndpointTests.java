package io.jobqueue.internal.boot.endpoint;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.jobqueue.JobState;
import io.jobqueue.RecurringJobRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The paths of schedules.
 */
class RecurringEndpointTests extends EndpointTestBase {

	private static final String[] GUEST = { "Role", "GUEST" };

	RecurringEndpointTests() {
		super("management.endpoint.jobqueue.access=unrestricted");
	}

	private void save(String name) {
		schedules().save(RecurringJobRequest.of(name, new Mail("acme")).cron("0 0 3 1 1 *"));
	}

	@Test
	void schedulesAreListedPageByPage() {
		List.of("b-2", "a", "b-1", "b-3").forEach(this::save);
		Answer page = get("/recurring?namePrefix=b-&limit=2");
		assertThat(page.status()).as(page.text()).isEqualTo(200);
		assertThat(page.rows("schedules")).extracting("name").containsExactly("b-1", "b-2");
		Answer next = get("/recurring?namePrefix=b-&limit=2&after=" + page.json().get("next"));
		assertThat(next.rows("schedules")).extracting("name").containsExactly("b-3");
		assertThat(next.json()).doesNotContainKey("next");
		assertThat(get("/recurring").rows("schedules")).hasSize(4);
	}

	@Test
	void scheduleIsShownWithoutItsPayload() {
		save("tenant-acme");
		Answer answer = get("/recurring/tenant-acme", GUEST);
		assertThat(answer.json().keySet()).isEqualTo(Set.of("name", "queue", "type", "cron", "zone", "misfire",
				"overlap", "jitter", "declared", "nextAt", "skipped", "missed"));
		assertThat(answer.json()).containsEntry("name", "tenant-acme")
			.containsEntry("cron", "0 0 3 1 1 *")
			.containsEntry("zone", "UTC")
			.containsEntry("misfire", "ONCE")
			.containsEntry("jitter", "PT0S")
			.containsEntry("declared", false);
		assertThat(get("/recurring", GUEST).rows("schedules")).containsExactly(answer.json());
	}

	@Test
	void scheduleIsPausedAndResumed() {
		schedules().save(RecurringJobRequest.of("digest", new Mail("")).fixedRate(Duration.ofMinutes(15)));
		assertThat(post("/recurring/digest/pause", "{}").json())
			.isEqualTo(Map.of("operation", "pause", "schedule", "digest"));
		assertThat(get("/recurring/digest").json()).containsKey("pausedAt")
			.containsEntry("fixedRate", "PT15M")
			.doesNotContainKeys("nextAt", "cron", "zone");
		assertThat(post("/recurring/digest/resume", "{}").json()).containsEntry("operation", "resume");
		assertThat(get("/recurring/digest").json()).containsKey("nextAt").doesNotContainKey("pausedAt");
	}

	@Test
	void triggerAnswersWithTheJob() {
		save("digest");
		Answer answer = post("/recurring/digest/trigger", "{}");
		assertThat(answer.json()).containsEntry("operation", "trigger").containsEntry("schedule", "digest");
		UUID job = UUID.fromString(answer.json().get("job").toString());
		assertThat(operations().find(job))
			.hasValueSatisfying((info) -> assertThat(info.state()).isEqualTo(JobState.READY));
		assertThat(get("/recurring/digest").json()).containsEntry("lastJob", job.toString())
			.containsEntry("lastState", "READY")
			.containsKey("lastAt");
	}

	@Test
	void scheduleIsDeleted() {
		save("digest");
		assertThat(post("/recurring/digest/delete", "{}").json()).containsEntry("operation", "delete");
		assertThat(schedules().find("digest")).isEmpty();
	}

	@Test
	void nameWithASlashIsAParameter() {
		save("tenants/42");
		assertThat(get("/recurring/-?subject=tenants/42").json()).containsEntry("name", "tenants/42");
		assertThat(post("/recurring/-/pause", "{\"subject\": \"tenants/42\"}").json()).containsEntry("schedule",
				"tenants/42");
		assertThat(schedules().find("tenants/42").orElseThrow().pausedAt()).isNotNull();
	}

	@Test
	void unknownScheduleIsNotFound() {
		for (Answer answer : List.of(get("/recurring/nope"), post("/recurring/nope/trigger", "{}"),
				post("/recurring/nope/pause", "{}"), post("/recurring/nope/resume", "{}"),
				post("/recurring/nope/delete", "{}"))) {
			assertThat(answer.status()).isEqualTo(404);
			assertThat(answer.json()).isEqualTo(Map.of("reason", "UNKNOWN", "message", "There is no schedule 'nope'"));
		}
	}

	@Test
	void declaredScheduleIsNotDeleted() {
		Answer answer = post("/recurring/nightly/delete", "{}");
		assertThat(answer.status()).isEqualTo(409);
		assertThat(answer.json()).containsEntry("reason", "DECLARED");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			/recurring/digest/drop  | {}                 | Unknown operation 'drop' of a schedule: use one of trigger
			/recurring/digest/pause | {"type": "Mail"}   | Unknown parameter 'type'
			/recurring/digest/trigger | {"runAt": "now"} | Unknown parameter 'runAt'
			""")
	void invalidRequestChangesNothing(String path, String json, String message) {
		save("digest");
		Answer answer = post(path, json);
		assertThat(answer.status()).as(answer.text()).isEqualTo(400);
		assertThat(answer.json().get("message").toString()).contains(message);
		assertThat(schedules().find("digest").orElseThrow().lastJob()).isNull();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			/recurring?prefix=b-     | Unknown parameter 'prefix'
			/recurring?limit=1001    | 'limit' must be a number from 1 to 1000
			/recurring?namePrefix=   | 'namePrefix' has no value
			/recurring/digest?limit=1 | Unknown parameter 'limit'
			""")
	void invalidQueryIsRefused(String path, String message) {
		Answer answer = get(path);
		assertThat(answer.status()).as(answer.text()).isEqualTo(400);
		assertThat(answer.json().get("message").toString()).contains(message);
	}

}
