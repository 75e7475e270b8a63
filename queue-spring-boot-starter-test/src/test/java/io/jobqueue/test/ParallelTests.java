package io.jobqueue.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.RepeatedTest;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.test.TestApplication.Booking;
import io.jobqueue.test.TestApplication.Mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Two tests that share a context and run at the same time, one of them in a transaction.
 */
@SpringBootTest(properties = "spring.sql.init.mode=always")
class ParallelTests {

	@Autowired
	private TestJobs jobs;

	@Autowired
	private TestTime time;

	@Autowired
	private JobQueue queue;

	@Autowired
	private TransactionTemplate transaction;

	private final CyclicBarrier meeting = new CyclicBarrier(2);

	@RepeatedTest(10)
	void haveATimeOfTheirOwn() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(2);
		try {
			for (Future<?> test : threads.invokeAll(List.of(this::committing, this::rolledBack))) {
				test.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private Object committing() throws Exception {
		this.time.reset();
		this.queue.enqueue(JobRequest.of(new Mail("ada")).delay(Duration.ofDays(2)));
		meet();
		this.jobs.advance(Duration.ofDays(2));
		meet();
		return assertThat(this.jobs.runNext("emails").succeeded()).isTrue();
	}

	private Object rolledBack() {
		this.time.reset();
		this.transaction.executeWithoutResult((status) -> {
			status.setRollbackOnly();
			this.queue.enqueue(JobRequest.of(new Booking(7)).delay(Duration.ofDays(1)));
			meet();
			meet();
			assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.jobs.runNext("bookings"));
			this.jobs.advance(Duration.ofDays(1));
			assertThat(run(() -> this.jobs.runNext("bookings")).succeeded()).isTrue();
		});
		return true;
	}

	private void meet() {
		int unused = run(() -> this.meeting.await(5, TimeUnit.MINUTES));
	}

	private static <T> T run(Callable<T> work) {
		try {
			return work.call();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
