package io.jobqueue.test;

import java.time.Duration;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.test.TestApplication.Booking;
import io.jobqueue.test.TestApplication.Mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Classes that share a context and run at the same time.
 */
@SpringBootTest(properties = "spring.sql.init.mode=always")
@Execution(ExecutionMode.CONCURRENT)
class ParallelTests {

	private static final int TIMES = 10;

	private static final CyclicBarrier MEETING = new CyclicBarrier(2);

	@Autowired
	private TestJobs jobs;

	@Autowired
	private JobQueue queue;

	private static void meet() throws Exception {
		MEETING.await(5, TimeUnit.MINUTES);
	}

	@Nested
	@Execution(ExecutionMode.CONCURRENT)
	class CommittingTests {

		@RepeatedTest(TIMES)
		@Execution(ExecutionMode.SAME_THREAD)
		void haveATimeOfTheirOwn() throws Exception {
			ParallelTests.this.queue.enqueue(JobRequest.of(new Mail("ada")).delay(Duration.ofDays(2)));
			meet();
			ParallelTests.this.jobs.advance(Duration.ofDays(2));
			meet();
			assertThat(ParallelTests.this.jobs.runNext("emails").succeeded()).isTrue();
		}

	}

	@Nested
	@Transactional
	@Execution(ExecutionMode.CONCURRENT)
	class RolledBackTests {

		@RepeatedTest(TIMES)
		@Execution(ExecutionMode.SAME_THREAD)
		void haveATimeOfTheirOwn() throws Exception {
			ParallelTests.this.queue.enqueue(JobRequest.of(new Booking(7)).delay(Duration.ofDays(1)));
			meet();
			assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> ParallelTests.this.jobs.runNext("bookings"));
			meet();
			assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> ParallelTests.this.jobs.runNext("bookings"));
			ParallelTests.this.jobs.advance(Duration.ofDays(1));
			assertThat(ParallelTests.this.jobs.runNext("bookings").succeeded()).isTrue();
		}

	}

}
