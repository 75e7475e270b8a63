package io.jobqueue.internal.boot.endpoint;

import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.JobRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Values are hidden from unauthorized users.
 */
class HiddenValuesTests extends EndpointTestBase {

	private static final String[] OPERATOR = { "Role", "OPERATOR" };

	private static final String[] GUEST = { "Role", "GUEST" };

	HiddenValuesTests() {
		super("management.endpoint.jobqueue.access=unrestricted",
				"management.endpoint.jobqueue.show-values=when-authorized",
				"management.endpoint.jobqueue.roles=OPERATOR");
	}

	@Test
	void valuesOfTheApplicationAreHidden() {
		UUID job = enqueueFailed("acme");
		Answer answer = get("/jobs/" + job, GUEST);
		assertThat(answer.text()).doesNotContain("acme", "mail-1");
		assertThat(answer.json()).containsEntry("error", "java.lang.IllegalStateException: ******")
			.containsEntry("key", "******");
		assertThat(answer.part("details")).containsEntry("headers", Map.of("tenant", "******"))
			.containsEntry("payload", Map.of("content", "******", "binary", false, "size", 15))
			.containsEntry("error", "java.lang.IllegalStateException: ******");
		assertThat(get("/jobs/" + job).json()).isEqualTo(answer.json());
		assertThat(get("/jobs?queue=emails", GUEST).text()).contains(job.toString()).doesNotContain("acme", "mail-1");
		assertThat(get("/queues/emails/job?key=mail-1", GUEST).status()).isEqualTo(400);
	}

	@Test
	void explanationHidesTheError() {
		UUID job = enqueueFailed("acme");
		assertThat(get("/jobs/" + job + "/why", GUEST).json()).containsEntry("reason", "RETRYING")
			.containsEntry("error", "java.lang.IllegalStateException: ******");
		assertThat(get("/jobs/" + job + "/why", GUEST).text()).doesNotContain("acme", "mail-1");
		assertThat(get("/jobs/" + job + "/why", OPERATOR).text()).contains("Timeout of acme");
	}

	@Test
	void nameOfABatchIsHidden() {
		UUID batch = batch("acme").id();
		assertThat(get("/batches/" + batch, GUEST).json()).containsEntry("name", "******");
		assertThat(get("/batches", GUEST).text()).contains(batch.toString()).doesNotContain("acme");
		assertThat(get("/batches/" + batch, OPERATOR).json()).containsEntry("name", "acme");
	}

	@Test
	void errorWithoutATypeIsHiddenAltogether() {
		UUID job = enqueueFailed("");
		this.sql.sql("UPDATE jobqueue_job SET last_error = 'acme.com refused: no'").update();
		assertThat(get("/jobs/" + job, GUEST).json()).containsEntry("error", "******");
	}

	@Test
	void errorsCannotBeGuessed() {
		enqueueFailed("acme");
		Answer answer = get("/jobs?error=acme", GUEST);
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.text()).contains("'error' searches values that are hidden", "show-values");
		assertThat(get("/jobs?error=acme", OPERATOR).rows("jobs")).hasSize(1);
		assertThat(post("/bulk/reprioritise", "{\"error\": \"acme\", \"priority\": 11}", GUEST).status())
			.isEqualTo(400);
	}

	@Test
	void groupIsHiddenLikeAKey() {
		UUID job = enqueue(JobRequest.of("emails", new Mail("")).group("customer-7"));
		assertThat(get("/jobs/" + job, GUEST).json()).containsEntry("group", "******");
		assertThat(get("/jobs/" + job, OPERATOR).json()).containsEntry("group", "customer-7");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/jobs?key=mail-1", "/queues/emails/job?key=mail-1", "/jobs?group=customer-7",
			"/queues/emails/group?name=customer-7", "/groups?name=customer-7" })
	void keysAndGroupsCannotBeGuessed(String path) {
		enqueue(JobRequest.of("emails", new Mail("")).key("mail-1").group("customer-7"));
		Answer answer = get(path, GUEST);
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.text()).contains("searches values that are hidden", "show-values");
		assertThat(get(path, OPERATOR).status()).isEqualTo(200);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			/bulk/reprioritise       | {"key": "mail-1", "priority": 11}
			/bulk/reprioritise       | {"group": "customer-7", "priority": 11}
			/queues/emails/job/cancel | {"key": "mail-1"}
			""")
	void keysAndGroupsCannotBeGuessedByAChange(String path, String json) {
		enqueue(JobRequest.of("emails", new Mail("")).key("mail-1").group("customer-7"));
		assertThat(post(path, json, GUEST).status()).isEqualTo(400);
		assertThat(post(path, json, OPERATOR).json()).containsEntry("affected", 1);
	}

	@Test
	void messageOfAHandlersExceptionIsHidden() {
		UUID job = enqueue("fail");
		assertThat(post("/jobs/" + job + "/run", "{}", GUEST).json()).containsEntry("exception",
				"java.lang.IllegalArgumentException: ******");
	}

	@Test
	void authorizedUsersSeeValues() {
		UUID job = enqueueFailed("hello");
		assertThat(get("/jobs/" + job, OPERATOR).text()).contains("acme", "mail-1", "hello");
	}

}
