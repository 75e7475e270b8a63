package io.jobqueue.internal.worker.fetch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.harness.OpenTransaction;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

/**
 * A connection with a transaction that may stay open for long.
 */
final class LateProducer implements AutoCloseable {

	private static final int[] PRIORITIES = { 0, 10, 30 };

	private final OpenTransaction transaction;

	private final List<JobsAvailable> available = new ArrayList<>();

	private final Random random;

	private final Consumer<Collection<JobsAvailable>> signals;

	/**
	 * Create a producer.
	 * @param random what decides what it enqueues
	 * @param signals who is signals of jobs that were committed
	 */
	LateProducer(DataSource dataSource, Random random, Consumer<Collection<JobsAvailable>> signals) {
		this.transaction = new OpenTransaction(dataSource);
		this.random = random;
		this.signals = signals;
	}

	void enqueue() {
		int count = 1 + this.random.nextInt(5);
		this.available
			.addAll(this.transaction.jobs().enqueue(Stream.generate(this::job).limit(count).toList()).available());
	}

	private NewJob job() {
		int priority = PRIORITIES[this.random.nextInt(PRIORITIES.length)];
		return new NewJobBuilder().priority(priority).delay(delay(this.random)).build();
	}

	/**
	 * Return when a job is due: often at once.
	 */
	static Duration delay(Random random) {
		return Duration.ofMillis(random.nextBoolean() ? 0 : random.nextInt(30));
	}

	void end(boolean commit) {
		this.transaction.end(commit);
		if (commit) {
			this.signals.accept(this.available);
		}
		this.available.clear();
	}

	@Override
	public void close() {
		this.transaction.close();
	}

}
