package io.jobqueue.boot.autoconfigure;

import java.time.Duration;

import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.MeterRegistry;
import org.assertj.core.api.Assumptions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationContext;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.boot.MigratedDatabase;
import io.jobqueue.internal.boot.properties.JobQueueProperties;
import io.jobqueue.internal.boot.properties.WorkerProperties;
import io.jobqueue.internal.boot.settings.BoundSettings;
import io.jobqueue.internal.maintenance.AgeRecorder;
import io.jobqueue.internal.maintenance.SizeMonitor;
import io.jobqueue.internal.maintenance.SnapshotMonitor;
import io.jobqueue.internal.maintenance.UnservedQueues;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.signal.RemoteSignals;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an application with all defaults asks of the database in a minute in which nothing
 * is due, by the server's own figures. The minute is a short one: all intervals are parts
 * of the defaults.
 */
@Tag("slow") // counts the statements of an idle minute
class IdleApplicationTests extends MeterTestBase {

	private static final int PART = 20;

	private static final Duration MINUTE = Duration.ofMinutes(1).dividedBy(PART);

	/**
	 * A worker with LISTEN polls at growing intervals.
	 */
	private static final Duration UNTIL_CALM = Duration.ofSeconds(20).dividedBy(PART);

	/**
	 * Several scrapers read meters, each at its own interval.
	 */
	private static final int SCRAPES = 24;

	/**
	 * Heartbeat, reaper, polls and alerts six times a minute and the purge once, each
	 * with another one at the edge.
	 */
	private static final long OF_LOOPS = 4 * (6 + 1) + 1 + 1;

	/**
	 * The unserved queues, those that are too long, snapshots that are held, and ages.
	 */
	private static final long OF_MONITORS = 1 + 3 + 2 + 1;

	/**
	 * The monitors' own minute may end meanwhile.
	 */
	private static final long OF_CHANCE = 2;

	/**
	 * Each eighth poll is not replaced.
	 */
	private static final long OF_HEARTBEATS = 6 + 1 + 1;

	/**
	 * A look, counts, pauses, served queues, snapshots, dead rows, dead jobs, jobs that
	 * wait for a failed one, and open batches, each read once per refresh interval.
	 */
	private static final long OF_GAUGES = 9 * (6 + 1);

	private static final String OF_ROWS = """
			FROM pg_stat_statements
			WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
			  AND query ~* '^\\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\\M' AND query NOT LIKE 'SELECT set_config%'
			  AND query NOT LIKE '%pg_stat_statements%'
			""";

	IdleApplicationTests() {
		super(MigratedDatabase.create());
	}

	@BeforeEach
	void count() {
		Assumptions.assumeThat(this.sql.sql("SHOW shared_preload_libraries").query(String.class).single())
			.contains("pg_stat_statements");
		this.sql.sql("CREATE EXTENSION IF NOT EXISTS pg_stat_statements").update();
		MigratedDatabase.empty(this.sql);
	}

	@Test
	void statementsOfAMinuteAreFew() {
		this.metered.withBean(Greetings.class).withPropertyValues(intervals()).run((context) -> {
			context.getBean(JobQueue.class).enqueue(JobRequest.of(new Greeting("later")).delay(Duration.ofHours(1)));
			Awaitility.await().until(context.getBean(RemoteSignals.class)::isConnected);
			pass(UNTIL_CALM);
			assertOfAMinute(() -> {
				monitor(context);
				pass(MINUTE);
			}, OF_LOOPS + OF_MONITORS + OF_CHANCE);
			assertOfAMinute(() -> scrapeForAMinute(context), OF_LOOPS + OF_GAUGES + OF_CHANCE);
		});
	}

	/**
	 * The monitors are called here, whatever the heartbeats find.
	 */
	@Test
	void withoutJobsTheyAreThoseOfHeartbeats() {
		this.metered.withBean(Greetings.class).withPropertyValues(intervals()).run((context) -> {
			Awaitility.await().until(() -> context.getBean(JobSignals.class).tables().areEmpty(MINUTE));
			assertOfAMinute(() -> {
				monitor(context);
				pass(MINUTE);
			}, OF_HEARTBEATS + OF_MONITORS + OF_CHANCE);
		});
	}

	/**
	 * What a busy machine has put off, it catches up with in the next minute.
	 */
	private void assertOfAMinute(Runnable minute, long most) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(statementsWhile(minute)).as(this::texts).isBetween(10L, most));
	}

	private static String[] intervals() {
		JobQueueProperties defaults = BoundSettings.properties();
		WorkerProperties worker = defaults.worker();
		return new String[] { part("worker.poll-interval", worker.pollInterval()),
				part("worker.max-poll-interval", worker.maxPollInterval()),
				part("worker.heartbeat-interval", worker.heartbeatInterval()), part("worker.timeout", worker.timeout()),
				part("reaper.interval", defaults.reaper().interval()),
				part("reaper.purge-interval", defaults.reaper().purgeInterval()),
				part("metrics.refresh-interval", defaults.metrics().refreshInterval()),
				part("alerts.interval", defaults.alerts().interval()) };
	}

	private static String part(String name, Duration interval) {
		return "jobqueue.%s=%dms".formatted(name, interval.dividedBy(PART).toMillis());
	}

	/**
	 * Their interval is no setting.
	 */
	private static void monitor(ApplicationContext context) {
		context.getBean(UnservedQueues.class).runOnce();
		context.getBean(SizeMonitor.class).runOnce();
		context.getBean(SnapshotMonitor.class).runOnce();
		context.getBean(AgeRecorder.class).runOnce();
	}

	private static void scrapeForAMinute(ApplicationContext context) {
		long since = System.nanoTime();
		Awaitility.await().pollInterval(MINUTE.dividedBy(SCRAPES)).until(() -> {
			scrape(context);
			return System.nanoTime() - since > MINUTE.toNanos();
		});
	}

	private static void scrape(ApplicationContext context) {
		context.getBean(MeterRegistry.class).forEachMeter((meter) -> meter.measure().forEach(Measurement::getValue));
	}

	private static void pass(Duration time) {
		Awaitility.await().pollDelay(time).until(() -> true);
	}

	/**
	 * Return how many statements there are while a minute passes, or would be if it were
	 * as long as it should be.
	 */
	private long statementsWhile(Runnable minute) {
		reset();
		long since = System.nanoTime();
		minute.run();
		int statements = statements();
		return Math.round((double) statements * MINUTE.toNanos() / (System.nanoTime() - since));
	}

	private void reset() {
		this.sql.sql(
				"SELECT count(pg_stat_statements_reset(0, oid, 0)) FROM pg_database WHERE datname = current_database()")
			.query(Long.class)
			.single();
	}

	private int statements() {
		return this.sql.sql("SELECT coalesce(sum(calls), 0) " + OF_ROWS).query(Integer.class).single();
	}

	private String texts() {
		String text = "SELECT format('%sx %s', calls, left(regexp_replace(query, '\\s+', ' ', 'g'), 70)) ";
		return String.join("\n", this.sql.sql(text + OF_ROWS + " ORDER BY calls DESC").query(String.class).list());
	}

}
