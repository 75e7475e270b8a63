package io.jobqueue.boot.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.JobQueue;
import io.jobqueue.boot.MigratedDatabase;
import io.jobqueue.testpostgres.CrashableServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Health answers within a second, whatever the database does, and is DOWN once the worker
 * has waited for too long.
 */
@Tag("slow") // waits for outages that last
class HealthOutageTests extends QueueTestBase {

	/**
	 * Less than any wait for the database, and more than a busy machine adds to the
	 * second.
	 */
	private static final Duration LONG = Duration.ofSeconds(4);

	private final ApplicationContextRunner application = this.contextRunner.withBean(Greetings.class)
		.withPropertyValues("jobqueue.health.refresh-interval=1ms", "jobqueue.health.start-grace=0s",
				"jobqueue.health.tolerated-outage=1s", "jobqueue.worker.max-poll-interval=500ms",
				"jobqueue.worker.heartbeat-interval=500ms");

	HealthOutageTests() {
		super(MigratedDatabase.create());
	}

	/**
	 * Heartbeats have a connection of their own, so that they go on.
	 */
	@Test
	void poolIsExhausted() {
		this.application.withPropertyValues("jobqueue.worker.heartbeat-interval=200ms").run((context) -> {
			awaitReading(context);
			List<Connection> taken = takeAll(context.getBean(DataSource.class));
			awaitDown(context);
			for (Connection connection : taken) {
				connection.close();
			}
			awaitUp(context);
		});
	}

	@Test
	void poolIsExhaustedFromTheStart() {
		this.application.run((context) -> {
			List<Connection> taken = takeAll(context.getBean(DataSource.class));
			assertThat(readAt(context)).isEqualTo("not yet: the database has not answered");
			await().until(() -> health(context).getStatus(), Status.DOWN::equals);
			assertThat(readAt(context)).isEqualTo("not yet: the database has not answered");
			for (Connection connection : taken) {
				connection.close();
			}
			awaitReading(context);
		});
	}

	@Test
	void tableIsLocked() {
		this.application.run((context) -> {
			awaitReading(context);
			try (Connection other = this.database.dataSource().getConnection();
					Statement statement = other.createStatement()) {
				other.setAutoCommit(false);
				statement.execute("LOCK TABLE jobqueue_job IN ACCESS EXCLUSIVE MODE");
				awaitDown(context);
			}
			awaitUp(context);
		});
	}

	@Test
	void serverIsStopped() {
		CrashableServer server = new CrashableServer();
		this.application
			.withPropertyValues("spring.datasource.url=" + server.jdbcUrl(), "spring.datasource.username=postgres",
					"spring.datasource.password=", "jobqueue.worker.shutdown-timeout=0s",
					"spring.datasource.hikari.connection-timeout=5000")
			.run((context) -> {
				awaitReading(context);
				server.close();
				awaitDown(context);
				context.getBean(HikariDataSource.class).close(); // each step of the stop
																	// would wait for it
			});
	}

	@Test
	void outageIsToleratedForAWhile() {
		this.application.withPropertyValues("jobqueue.health.tolerated-outage=1h").run((context) -> {
			awaitReading(context);
			List<Connection> taken = takeAll(context.getBean(DataSource.class));
			String before = readAt(context);
			await().during(Duration.ofSeconds(2)).until(() -> health(context).getStatus(), Status.UP::equals);
			assertThat(readAt(context)).isEqualTo(before);
			for (Connection connection : taken) {
				connection.close();
			}
			await().until(() -> !readAt(context).equals(before));
		});
	}

	@Test
	void queueCannotBeClaimed() {
		this.application.run((context) -> {
			awaitReading(context);
			JdbcTemplate sql = new JdbcTemplate(this.database.dataSource());
			sql.execute("ALTER TABLE jobqueue_claim ADD CONSTRAINT refused CHECK (false) NOT VALID");
			context.getBean(JobQueue.class).enqueue(new Greeting("hello"));
			awaitProblem(context, "Claiming jobs of queue default has failed for \\d{1,2}s; see the log");
			sql.execute("ALTER TABLE jobqueue_claim DROP CONSTRAINT refused");
			awaitUp(context);
		});
	}

	/**
	 * A worker that sends no statement waits for no answer.
	 */
	@Test
	void databaseThatAnswersIsUpWhereNoOutageIsTolerated() {
		this.application.withPropertyValues("jobqueue.health.tolerated-outage=0s").run(HealthOutageTests::awaitUp);
	}

	private static List<Connection> takeAll(DataSource pool) throws SQLException {
		List<Connection> taken = new ArrayList<>();
		for (int connection = 0; connection < 4; connection++) {
			taken.add(pool.getConnection());
		}
		return taken;
	}

	private static void awaitReading(ApplicationContext context) {
		await().until(() -> health(context).getDetails().containsKey("priorities"));
	}

	private static void awaitDown(ApplicationContext context) {
		awaitProblem(context, "has not answered the worker for \\d{1,2}s");
	}

	private static void awaitProblem(ApplicationContext context, String problem) {
		await().untilAsserted(() -> {
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.DOWN);
			assertThat(health.getDetails().get("problems").toString()).containsPattern(problem);
			assertThat(health.getDetails()).containsKey("priorities");
		});
	}

	private static void awaitUp(ApplicationContext context) {
		await().until(() -> health(context).getStatus(), Status.UP::equals);
	}

	private static String readAt(ApplicationContext context) {
		return Objects.requireNonNull(health(context).getDetails().get("readAt")).toString();
	}

	/**
	 * Ask, as every probe does.
	 */
	private static Health health(ApplicationContext context) {
		long begun = System.nanoTime();
		Health health = context.getBean("jobqueueHealthContributor", HealthIndicator.class).health();
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LONG);
		assertThat(health).isNotNull();
		return health;
	}

}
