package io.jobqueue.benchmark.against;

import java.util.List;

import io.jobqueue.benchmark.frame.UsageException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Against}.
 */
class AgainstTests {

	@Test
	void turnsThatHaveNoIntervalAreRefused() {
		assertThatExceptionOfType(UsageException.class).isThrownBy(() -> new Against("HEAD", 5))
			.withMessageContaining("--turns must be at least 6");
	}

	@Test
	void nameOfNoCommitIsRefused() {
		Against against = new Against("--no-such-commit", 6);
		assertThatExceptionOfType(UsageException.class).isThrownBy(() -> against.measure(List.of(), null))
			.withMessageContaining("'--no-such-commit'");
	}

	@Test
	void serverThatBothBuildsWouldShareIsRefused() {
		Against against = new Against("HEAD", 6);
		assertThatExceptionOfType(UsageException.class)
			.isThrownBy(() -> against.measure(List.of(), "jdbc:postgresql://localhost/postgres"))
			.withMessageContaining("BENCH_POSTGRES_URL");
	}

}
