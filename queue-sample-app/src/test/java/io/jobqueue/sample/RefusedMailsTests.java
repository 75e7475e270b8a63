package io.jobqueue.sample;

import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A mail server that takes nothing, and one that does after a restart.
 */
@Tag("slow") // waits for retries
class RefusedMailsTests {

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	@TempDir
	private Path dataFolder;

	@Test
	void areSentAgainUntilTheyAreTaken() {
		long signup = signUpWhereMailsAreRefused();
		try (SampleJvm sample = start(0)) {
			await().atMost(PATIENCE)
				.untilAsserted(() -> assertThat(sample.client().status(signup)).isEqualTo("MAILED"));
			assertThat(sample.client().mailedLink(signup)).isNotEmpty();
		}
	}

	private long signUpWhereMailsAreRefused() {
		try (SampleJvm sample = start(1)) {
			long signup = sample.client().signUp("Ada", "ada@example.org");
			await().atMost(PATIENCE).untilAsserted(() -> assertThat(lastError(sample)).contains("451 refused"));
			assertThat(sample.client().status(signup)).isEqualTo("PENDING");
			return signup;
		}
	}

	private static String lastError(SampleJvm sample) {
		return JdbcClient.create(new DriverManagerDataSource(sample.jdbcUrl(), "postgres", ""))
			.sql("SELECT coalesce(last_error, '') FROM jobqueue_jobs")
			.query(String.class)
			.single();
	}

	private SampleJvm start(double failureRate) {
		return SampleJvm.start(this.dataFolder, "--sample.mail.failure-rate=" + failureRate,
				"--jobqueue.defaults.backoff.type=fixed", "--jobqueue.defaults.backoff.delay=200ms");
	}

}
