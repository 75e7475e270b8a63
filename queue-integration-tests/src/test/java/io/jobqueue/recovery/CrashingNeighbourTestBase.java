package io.jobqueue.recovery;

import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.postgresql.ds.PGSimpleDataSource;

import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.TestPool;
import io.jobqueue.testpostgres.ChildJvm;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Twenty jobs that a node runs together. The seventh ends its JVM, in both of its
 * attempts, and is dead then.
 */
@Tag("slow") // ends JVMs
abstract class CrashingNeighbourTestBase extends NodeTestBase {

	static final int JOBS = 20;

	static final int CRASHING = 7;

	private static final int STATUS = 7;

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private final Class<?> node;

	CrashingNeighbourTestBase(Class<?> node) {
		this.node = node;
	}

	void enqueue() {
		producer().queue()
			.enqueueAll(IntStream.rangeClosed(1, JOBS)
				.mapToObj((number) -> JobRequest.of("emails", new Mail(String.valueOf(number)))
					.maxAttempts((number == CRASHING) ? 2 : 0))
				.toList());
	}

	/**
	 * Start a node that the job ends. No other worker is registered, and this one counts
	 * as lost at once.
	 */
	void crash() {
		try (ChildJvm started = start()) {
			assertThat(started.awaitExit(PATIENCE)).isEqualTo(STATUS);
		}
		int lost = this.sql.sql("UPDATE jobqueue_worker SET last_active_at = last_active_at - interval '1 hour'")
			.update();
		assertThat(lost).isOne();
	}

	/**
	 * Start a node that ends all jobs.
	 */
	void finish() {
		ChildJvm last = closeLater(start());
		await().atMost(PATIENCE).until(() -> count("jobqueue_archive") == JOBS);
		last.kill();
		assertThat(this.sql.sql("SELECT state || ' ' || last_error FROM jobqueue_archive WHERE state <> 'SUCCEEDED'")
			.query(String.class)
			.single()).startsWith("DEAD Lost");
	}

	private ChildJvm start() {
		return ChildJvm.start(this.node, Map.of("URL", this.database.directJdbcUrl(), "USERNAME",
				this.database.username(), "PASSWORD", this.database.password()));
	}

	/**
	 * Return the pool of a node that has been started.
	 */
	static DataSource pool() {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(System.getenv("URL"));
		dataSource.setUser(System.getenv("USERNAME"));
		dataSource.setPassword(System.getenv("PASSWORD"));
		return TestPool.of(dataSource, 5);
	}

	/**
	 * End the JVM of a node.
	 */
	static void halt() {
		Runtime.getRuntime().halt(STATUS);
	}

}
