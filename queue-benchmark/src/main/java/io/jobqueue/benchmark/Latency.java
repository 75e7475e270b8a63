package io.jobqueue.benchmark;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.SynchronousQueue;
import java.util.function.LongSupplier;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobQueue;
import io.jobqueue.benchmark.BenchmarkApplication.NoOp;
import io.jobqueue.benchmark.BenchmarkApplication.NoOps;

/**
 * How long an idle worker with default settings takes from the commit of a job to the
 * start of its handler, in the same JVM and in another.
 */
final class Latency {

	private static final int WARM_UP = 200;

	private static final int JOBS = 400;

	private static final long PAUSE_MILLIS = 50;

	private final BenchmarkDatabase database;

	Latency(BenchmarkDatabase database) {
		this.database = database;
	}

	String run() throws Exception {
		this.database.settle();
		double[] here = here();
		double[] elsewhere = elsewhere();
		return "RESULT scenario=latency p50=%.2f p99=%.2f p50_other_jvm=%.2f p99_other_jvm=%.2f unit=ms".formatted(
				Rate.percentile(here, 0.5), Rate.percentile(here, 0.99), Rate.percentile(elsewhere, 0.5),
				Rate.percentile(elsewhere, 0.99));
	}

	private double[] here() throws InterruptedException {
		try (ConfigurableApplicationContext application = BenchmarkApplication.start(this.database.url())) {
			SynchronousQueue<Long> arrivals = new SynchronousQueue<>();
			application.getBean(NoOps.class).onJob((number) -> put(arrivals, micros()));
			return measure(application, () -> take(arrivals));
		}
	}

	private double[] elsewhere() throws IOException, InterruptedException {
		Process other = OtherJvm.start(this.database.url());
		try (ConfigurableApplicationContext application = BenchmarkApplication.start(this.database.url(),
				"jobqueue.worker.enabled=false"); BufferedReader arrivals = other.inputReader()) {
			OtherJvm.awaitReady(arrivals);
			return measure(application, () -> OtherJvm.arrival(arrivals));
		}
		finally {
			other.destroyForcibly().waitFor();
		}
	}

	private double[] measure(ConfigurableApplicationContext application, LongSupplier arrival)
			throws InterruptedException {
		double[] millis = new double[JOBS];
		for (int number = -WARM_UP; number < JOBS; number++) {
			long committed = commit(application, number);
			long arrived = arrival.getAsLong();
			if (number >= 0) {
				millis[number] = (arrived - committed) / 1000.0;
			}
			Thread.sleep(PAUSE_MILLIS);
		}
		return millis;
	}

	/**
	 * Enqueue a job and note the time right after the commit, before anybody is woken.
	 */
	private static long commit(ConfigurableApplicationContext application, int number) {
		long[] committed = new long[1];
		new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
			.executeWithoutResult((status) -> {
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						committed[0] = micros();
					}

				});
				application.getBean(JobQueue.class).enqueue(new NoOp(number));
			});
		return committed[0];
	}

	static long micros() {
		return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
	}

	private static void put(SynchronousQueue<Long> arrivals, long arrival) {
		try {
			arrivals.put(arrival);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static long take(SynchronousQueue<Long> arrivals) {
		try {
			return arrivals.take();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("Interrupted while waiting for a job", ex);
		}
	}

}
