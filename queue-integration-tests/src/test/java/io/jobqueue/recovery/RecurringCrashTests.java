package io.jobqueue.recovery;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.Misfire;
import io.jobqueue.Overlap;
import io.jobqueue.RecurringJobInfo;
import io.jobqueue.RecurringJobQuery;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeMain;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.testpostgres.ChildJvm;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Of three JVMs, the one that holds the transaction of a tick is killed, again and again:
 * each tick still has exactly one job. {@code -Drecurring.kills=20} kills more of them.
 */
@Tag("slow") // kills JVMs
class RecurringCrashTests extends NodeTestBase {

	private static final int KILLS = Integer.getInteger("recurring.kills", 6);

	private static final int TICKS = 10 * KILLS;

	private static final int SCHEDULES = 10;

	/**
	 * A JVM that is started again needs processors, which may be busy.
	 */
	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private final Map<String, ChildJvm> nodes = new HashMap<>();

	private int started;

	/**
	 * A tick sleeps before its commit. The server ends the statement of a client that has
	 * disappeared, as it would if the client had not sent the commit yet.
	 */
	@BeforeEach
	void holdTicks() {
		this.sql
			.sql("""
					DO $$ BEGIN
					  EXECUTE format('ALTER DATABASE %I SET client_connection_check_interval = ''10ms''', current_database());
					END $$
					""")
			.update();
		this.sql.sql("""
				CREATE FUNCTION hold_tick() RETURNS trigger LANGUAGE plpgsql AS $$
				BEGIN
				  IF current_query() LIKE '%FOR UPDATE OF r SKIP LOCKED%' THEN PERFORM pg_sleep(0.2); END IF;
				  RETURN NULL;
				END $$
				""").update();
		this.sql.sql("CREATE TRIGGER hold_tick AFTER UPDATE ON jobqueue_recurring EXECUTE FUNCTION hold_tick()")
			.update();
	}

	@AfterEach
	void killAll() {
		this.nodes.values().forEach(ChildJvm::kill);
	}

	@Test
	void eachTickHasOneJob() {
		RecurringJobs jobs = producer().recurring();
		List<Instant> first = new ArrayList<>();
		for (int number = 0; number < SCHEDULES; number++) {
			first.add(jobs.save(schedule(number)).nextAt());
		}
		start();
		start();
		start();
		for (int kills = 0; kills < KILLS; kills++) {
			await().atMost(PATIENCE).until(this::killHolder);
		}
		await().atMost(PATIENCE).until(() -> count("jobqueue_jobs") >= TICKS);
		for (int number = 0; number < SCHEDULES; number++) {
			jobs.pause("s" + number);
		}
		await().until(() -> holder().isEmpty());
		List<RecurringJobInfo> schedules = jobs.list(RecurringJobQuery.all()).jobs();
		for (int number = 0; number < SCHEDULES; number++) {
			assertEachTickHasOneJob(schedules.get(number), first.get(number));
		}
	}

	private static RecurringJobRequest schedule(int number) {
		return RecurringJobRequest.of("s" + number, JobRequest.of("emails", new Mail("tick")).group("s" + number))
			.fixedRate(Duration.ofSeconds(1))
			.misfire(Misfire.ALL)
			.overlap(Overlap.ALLOW);
	}

	private void start() {
		String name = "node-" + this.started++;
		this.nodes.put(name, NodeMain.launch(this.database, name, Duration.ofSeconds(1), 1));
	}

	/**
	 * Kill the JVM that holds the transaction of a tick, and start another one.
	 */
	private boolean killHolder() {
		for (String name : holder()) {
			ChildJvm jvm = this.nodes.remove(name);
			if (jvm != null) {
				jvm.kill();
				start();
				return true;
			}
		}
		return false;
	}

	private List<String> holder() {
		return this.sql
			.sql("""
					SELECT application_name FROM pg_stat_activity
					WHERE datname = current_database() AND wait_event = 'PgSleep' AND query LIKE '%FOR UPDATE OF r SKIP LOCKED%'
					""")
			.query(String.class)
			.list();
	}

	private void assertEachTickHasOneJob(RecurringJobInfo schedule, Instant first) {
		List<Instant> ticks = this.sql
			.sql("""
					SELECT headers::jsonb ->> 'jobqueue.scheduled-at' AS tick FROM jobqueue_jobs WHERE job_group = ? ORDER BY seq
					""")
			.param(schedule.name())
			.query((row, number) -> Instant.parse(row.getString("tick")))
			.list();
		List<Instant> expected = new ArrayList<>();
		for (Instant tick = first; !tick.isAfter(schedule.lastAt()); tick = tick.plusSeconds(1)) {
			expected.add(tick);
		}
		assertThat(ticks).as(schedule.name()).isEqualTo(expected);
		assertThat(schedule.missed() + schedule.skipped()).isZero();
	}

}
