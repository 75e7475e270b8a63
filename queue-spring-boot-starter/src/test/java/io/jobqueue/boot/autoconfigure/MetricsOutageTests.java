package io.jobqueue.boot.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAccumulator;

import javax.sql.DataSource;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import io.jobqueue.boot.MigratedDatabase;
import io.jobqueue.internal.boot.metrics.TestClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A scrape takes a moment, whatever the database does: the application has meters of its
 * own in it.
 */
@Tag("slow") // waits for outages that last
class MetricsOutageTests extends QueueTestBase {

	/**
	 * Far from the 30 s that the pool makes one wait for a connection, and from what a
	 * busy machine adds to a moment.
	 */
	private static final Duration LONG = Duration.ofSeconds(10);

	private final TestClock clock = new TestClock();

	private final ApplicationContextRunner application = this.contextRunner
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, PrometheusMetricsExportAutoConfiguration.class))
		.withBean(Clock.class, () -> this.clock)
		.withBean(Farewells.class)
		.withPropertyValues("jobqueue.metrics.refresh-interval=10s", "jobqueue.alerts.interval=100ms",
				"jobqueue.worker.queues=farewells,one,two,three,four,five");

	private final LongAccumulator longest = new LongAccumulator(Math::max, 0);

	MetricsOutageTests() {
		super(MigratedDatabase.create());
	}

	@AfterEach
	void assertScrapesWereShort() {
		assertThat(Duration.ofNanos(this.longest.get())).isPositive().isLessThan(LONG);
	}

	@Test
	void poolIsExhausted() {
		this.application.run((context) -> {
			awaitNumbers(context);
			List<Connection> taken = takeAll(context.getBean(DataSource.class));
			this.clock.move(Duration.ofSeconds(29));
			assertThat(scrape(context)).filteredOn((line) -> !line.startsWith("jobqueue_jobs_alert_percent{"))
				.noneMatch((line) -> line.endsWith("NaN"));
			this.clock.move(Duration.ofSeconds(1));
			awaitNaN(context);
			for (Connection connection : taken) {
				connection.close();
			}
			awaitNumbers(context);
		});
	}

	@Test
	void databaseIsGone() {
		this.application.withPropertyValues("spring.datasource.hikari.connection-timeout=250").run((context) -> {
			awaitNumbers(context);
			this.database.close();
			this.clock.move(Duration.ofSeconds(30));
			awaitNaN(context);
		});
	}

	private static List<Connection> takeAll(DataSource pool) throws SQLException {
		List<Connection> taken = new ArrayList<>();
		for (int connection = 0; connection < 4; connection++) {
			taken.add(pool.getConnection());
		}
		return taken;
	}

	private void awaitNumbers(ApplicationContext context) {
		await().untilAsserted(
				() -> assertThat(scrape(context)).hasSizeGreaterThan(250).noneMatch((line) -> line.endsWith("NaN")));
	}

	private void awaitNaN(ApplicationContext context) {
		await().untilAsserted(() -> assertThat(scrape(context)).hasSizeGreaterThan(250)
			.filteredOn((line) -> !line.startsWith("jobqueue_jobs_max_run_time_seconds{"))
			.allMatch((line) -> line.endsWith("NaN")));
	}

	/**
	 * Return the gauges.
	 */
	private List<String> scrape(ApplicationContext context) {
		long begun = System.nanoTime();
		String all = context.getBean(PrometheusMeterRegistry.class).scrape();
		this.longest.accumulate(System.nanoTime() - begun);
		return all.lines()
			.filter((line) -> line.startsWith("jobqueue_jobs") || line.startsWith("jobqueue_database"))
			.filter((line) -> !line.contains("_total{"))
			.toList();
	}

}
