package io.jobqueue.test;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobQueue;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.test.TestApplication.Booking;
import io.jobqueue.test.TestApplication.Mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Schedules and limits take part because the test class asks for them.
 */
@SpringBootTest(properties = "spring.sql.init.mode=always")
@AutoConfigureTestJobs(recurring = true, limits = true)
class TestOptionsTests {

	@Autowired
	private TestJobs jobs;

	@Autowired
	private JobQueue queue;

	@Autowired
	private RecurringJobs recurring;

	@Autowired
	private JdbcClient jdbc;

	@BeforeEach
	void empty() {
		this.jobs.deleteAll();
	}

	@Test
	void sevenDaysHaveSevenDailyTicks() throws Exception {
		this.jobs.advance(Duration.ZERO);
		assertThat(this.jobs.runAll()).isEmpty();
		this.jobs.advance(Duration.ofDays(7));
		assertThat(hoursBetweenJobs()).hasSize(6).containsOnly(24L);
		assertThat(this.recurring.find("newsletter")).hasValueSatisfying((schedule) -> {
			assertThat(schedule.skipped()).isZero();
			assertThat(schedule.missed()).isZero();
		});
		assertThat(this.jobs.runAll()).extracting(JobOutcome::type).hasSize(7).containsOnly("newsletter");
	}

	/**
	 * Their ticks are milliseconds apart.
	 */
	@Test
	void schedulesOfTheSameRateTickEachTime() {
		for (int schedule = 0; schedule < 5; schedule++) {
			this.recurring
				.save(RecurringJobRequest.of("digest-" + schedule, new Mail("grace")).fixedRate(Duration.ofHours(1)));
		}
		this.jobs.advance(Duration.ofDays(1));
		assertThat(this.jdbc.sql("SELECT count(*) FROM jobqueue_job WHERE type = 'Mail'").query(Long.class).single())
			.isEqualTo(120);
		assertThat(this.jdbc.sql("SELECT sum(skipped + missed) FROM jobqueue_recurring").query(Long.class).single())
			.isZero();
	}

	private List<Long> hoursBetweenJobs() {
		return this.jdbc.sql("""
				SELECT round(extract(epoch FROM run_at - before) / 3600) AS hours
				FROM (SELECT run_at, lag(run_at) OVER (ORDER BY seq) AS before FROM jobqueue_job) j
				WHERE before IS NOT NULL
				""").query(Long.class).list();
	}

	@Test
	void ticksOfSchedulesAreInTheirOrder() throws Exception {
		this.jobs.advance(Duration.ofHours(1));
		this.recurring.save(RecurringJobRequest.of("digest", new Mail("grace")).fixedRate(Duration.ofHours(16)));
		this.jobs.advance(Duration.ofHours(15));
		assertThat(this.jobs.runAll()).isEmpty();
		this.jobs.advance(Duration.ofHours(18));
		assertThat(this.jobs.runAll()).extracting(JobOutcome::type).containsExactly("Mail", "newsletter", "Mail");
	}

	@Test
	void ratesLimitRuns() throws Exception {
		this.queue.enqueueAll(List.of(new Booking(1), new Booking(2)));
		assertThat(this.jobs.runAll()).hasSize(1);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.jobs.runNext("bookings"))
			.withMessageContaining(
					"Live jobs: 1 waiting for the rate or cluster-concurrency of the queue (advance the time).");
		this.jobs.advance(Duration.ofHours(1));
		assertThat(this.jobs.runAll()).hasSize(1);
	}

}
