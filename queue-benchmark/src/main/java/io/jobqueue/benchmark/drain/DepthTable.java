package io.jobqueue.benchmark.drain;

import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.plain.PlainDrain;
import io.jobqueue.benchmark.subject.Backlog;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.BenchmarkSchema;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.timing.Progress;

/**
 * Tables that hold so many ready jobs. They are built once, and what a round drained is
 * filled up again before the next one.
 * <p>
 * A round drains as many portions at all depths, and counts the time from the first
 * handler of each to the last. A table that is no larger than a portion is filled up and
 * settled before each, a larger one before the first.
 */
final class DepthTable implements AutoCloseable {

	private static final String TABLES = "jobqueue_job, jobqueue_claim, plain_job";

	private final int depth;

	private final int portion;

	private final int portions;

	private final BenchmarkSchema schema;

	private final MeasuredQueue queue;

	private final PlainDrain plain;

	/**
	 * Create tables.
	 * @param parent the database
	 * @param depth how many ready jobs they hold
	 * @param portion how many are drained at a time
	 * @param portions how many portions a round drains
	 */
	DepthTable(BenchmarkDatabase parent, int depth, int portion, int portions) {
		this.depth = depth;
		this.portion = portion;
		this.portions = portions;
		this.schema = new BenchmarkSchema(parent, "benchmark_depth_" + depth);
		this.queue = Draining.start(this.schema.database());
		this.plain = PlainDrain.of(this.schema.database(), 1);
		this.plain.create();
	}

	Contender queue() {
		return new Contender(queueName(), () -> measure(this::fillQueue, this.queue::run));
	}

	Contender plain() {
		return new Contender(plainName(), () -> measure(this::fillPlain, this.plain::drain));
	}

	String queueName() {
		return "depth_" + this.depth;
	}

	String plainName() {
		return "plain_" + this.depth;
	}

	private void fillQueue() {
		Backlog.DUE.fillUpTo(this.schema.database(), this.depth);
	}

	private void fillPlain() {
		this.plain.fillUpTo(this.depth);
	}

	private double measure(Runnable fill, Drainer drainer) throws Exception {
		double seconds = 0;
		long left = 0;
		for (int number = 0; number < this.portions; number++) {
			if (left < this.portion) {
				fill.run();
				this.schema.database().settle(TABLES);
				left = this.depth;
			}
			Progress progress = Progress.of(this.portion);
			drainer.drain(progress);
			seconds += progress.seconds();
			left -= progress.done();
		}
		return this.portions * this.portion / seconds;
	}

	@Override
	public void close() {
		this.queue.close();
		this.schema.close();
	}

	/**
	 * Drains a portion.
	 */
	@FunctionalInterface
	private interface Drainer {

		void drain(Progress progress) throws Exception;

	}

}
