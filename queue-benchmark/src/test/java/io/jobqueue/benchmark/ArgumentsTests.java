package io.jobqueue.benchmark;

import java.time.Duration;
import java.util.List;

import io.jobqueue.benchmark.against.Against;
import io.jobqueue.benchmark.frame.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Arguments}.
 */
class ArgumentsTests {

	@Test
	void optionsStandAnywhere() {
		assertThat(Arguments.of("--seed", "7", "chaos", "--report", "--seconds", "90", "drain")).isEqualTo(
				new Arguments(List.of("chaos", "drain"), true, Duration.ofSeconds(90), Duration.ofMinutes(1), 7, null));
	}

	@Test
	void otherCommitIsMeasuredInTenTurns() {
		assertThat(Arguments.of("drain", "--against", "HEAD~1").against()).isEqualTo(new Against("HEAD~1", 10));
		assertThat(Arguments.of("--turns", "6", "drain", "--against", "HEAD~1").against())
			.isEqualTo(new Against("HEAD~1", 6));
	}

	@Test
	void idleNodesAreMeasuredForAMinute() {
		assertThat(Arguments.of("idle").idle()).isEqualTo(Duration.ofMinutes(1));
		assertThat(Arguments.of("idle", "--idle-minutes", "60").idle()).isEqualTo(Duration.ofHours(1));
	}

	@Test
	void chanceBeginsElsewhereEachTime() {
		assertThat(Arguments.of("chaos").seed()).isNotEqualTo(Arguments.of("chaos").seed());
	}

	@Test
	void onlyAllIsReportedWithoutAsking() {
		assertThat(Arguments.of("all").report()).isTrue();
		assertThat(Arguments.of("drain").report()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "--seconds", "--seconds many", "--seed -1", "--sede 1", "--against", "--turns 6" })
	void whatIsNoOptionIsRefused(String line) {
		String[] arguments = StringUtils.delimitedListToStringArray(line, " ");
		assertThatExceptionOfType(UsageException.class).isThrownBy(() -> Arguments.of(arguments))
			.withMessageContaining(arguments[0]);
	}

}
