package io.jobqueue.input;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import org.springframework.dao.DataIntegrityViolationException;

import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Values at the end of what a column can hold, written by hand. The database refuses
 * them, or the other jobs of the queue run nevertheless.
 */
class OddRowTests extends NodeTestBase {

	static final List<String> CHANGES = List.of("max_run_millis = 9223372036854775807",
			"max_run_millis = 10000000000000000", "max_run_millis = -9223372036854775808",
			"max_run_millis = 3153600000000", "max_run_millis = 0", "run_at = '-infinity'", "run_at = '4713-01-01 BC'",
			"run_at = '0001-01-01 00:00:00+00'", "attempts = 2147483647", "attempts = 1000000000",
			"attempts = -2147483648", "failures = 2147483647", "failures = 1000000000",
			"expected_failures = 2147483647", "expected_failures = 1000000000", "expected_failures = -2147483648",
			"attempts = -1000000000, expected_failures = 1000000000", "max_attempts = 2147483647",
			"max_attempts = -2147483648", "max_attempts = -1", "failures = -1", "expected_failures = -1",
			"created_at = '-infinity'", "created_at = 'infinity'", "created_at = '0001-01-01 00:00:00+00'",
			"dedupe_millis = 9223372036854775807", "keep_cancelled_millis = 9223372036854775807",
			"run_at = 'infinity', due_at = '-infinity', admission = 'PENDING', ordering_key = 'a'",
			"run_at = 'infinity', due_at = 'infinity', admission = 'PENDING', ordering_key = 'a'",
			"run_at = 'infinity', due_at = '0001-01-01 00:00:00+00', admission = 'PENDING', limit_key = 'a'");

	@ParameterizedTest
	@FieldSource("CHANGES")
	void extremeValueDelaysNoOtherJob(String change) {
		QueueNode node = node(settings().maxAttempts(0).handler((mail, job) -> {
			if (mail.text().equals("odd")) {
				throw new IllegalStateException("odd");
			}
		}));
		UUID odd = node.queue().enqueue(new Mail("odd")).id();
		boolean accepted = isAccepted(change, odd);
		UUID first = node.queue().enqueue(new Mail("first")).id();
		node.start();
		awaitState(first, "SUCCEEDED");
		if (accepted) {
			await().until(() -> count("jobqueue_jobs WHERE id = '%s' AND last_error IS NOT NULL".formatted(odd)) == 1);
		}
		awaitState(node.queue().enqueue(new Mail("second")).id(), "SUCCEEDED");
	}

	private boolean isAccepted(String change, UUID job) {
		try {
			return this.sql.sql("UPDATE jobqueue_job SET " + change + " WHERE id = ?").param(job).update() == 1;
		}
		catch (DataIntegrityViolationException ex) {
			assertThat(ex).hasMessageMatching("(?s).*violates check constraint \"jobqueue_.*");
			return false;
		}
	}

}
