package io.jobqueue.internal.boot.endpoint;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.jobqueue.JobState;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What scripts may do if the endpoint is exposed, and nothing else is said.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow") // starts web applications
class ReadOnlyEndpointTests extends EndpointTestBase {

	@Test
	void nothingIsChanged() {
		UUID job = enqueue("one");
		assertThat(get("").status()).isEqualTo(200);
		assertThat(get("/jobs/" + job).status()).isEqualTo(200);
		List.of("/jobs/" + job + "/delete", "/queues/emails/clear", "/bulk/delete", "/recurring/nightly/trigger")
			.forEach((path) -> assertThat(post(path, "{\"all\": \"true\"}").status()).as(path).isIn(404, 405));
		assertThat(operations().find(job))
			.hasValueSatisfying((info) -> assertThat(info.state()).isEqualTo(JobState.READY));
	}

	@Test
	void databaseThatFailsIsNoSecret(CapturedOutput output) {
		this.sql.sql("ALTER TABLE jobqueue_archive RENAME TO elsewhere").update();
		Answer answer = get("");
		this.sql.sql("ALTER TABLE elsewhere RENAME TO jobqueue_archive").update();
		assertThat(answer.status()).isEqualTo(503);
		assertThat(answer.json()).containsEntry("reason", "UNAVAILABLE");
		assertThat(answer.text()).contains("The database failed; see the log").doesNotContain("jobqueue_archive");
		assertThat(output).containsOnlyOnce("The endpoint could not answer a request").contains("jobqueue_archive");
	}

	@Test
	void valuesAreHidden() {
		UUID job = enqueueFailed("hello");
		assertThat(get("/jobs/" + job, "Role", "OPERATOR").text()).doesNotContain("acme", "hello", "mail-1");
	}

}
