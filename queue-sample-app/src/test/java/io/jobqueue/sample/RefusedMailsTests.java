package io.jobqueue.sample;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

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

	/**
	 * Half of the mails are refused.
	 */
	@Test
	void areSentAgainUntilTheyAreTaken() {
		try (SampleJvm sample = SampleJvm.start(this.dataFolder, "--sample.mail.failure-rate=0.5",
				"--jobqueue.defaults.backoff.type=fixed", "--jobqueue.defaults.backoff.delay=1s",
				"--jobqueue.defaults.max-attempts=100")) {
			JdbcClient sql = JdbcClient.create(new DriverManagerDataSource(sample.jdbcUrl(), "postgres", ""));
			Set<Long> signups = new LinkedHashSet<>();
			await().atMost(PATIENCE).until(() -> {
				signups.add(sample.client().signUp("Ada", "ada%d@example.org".formatted(signups.size())));
				return isRefused(sql);
			});
			for (long signup : signups) {
				await().atMost(PATIENCE).until(() -> sample.client().status(signup), "MAILED"::equals);
				assertThat(sample.client().mailedLink(signup)).isNotEmpty();
			}
		}
	}

	private static boolean isRefused(JdbcClient sql) {
		return !sql.sql("SELECT FROM jobqueue_job WHERE last_error LIKE '%451 refused%'")
			.query()
			.listOfRows()
			.isEmpty();
	}

}
