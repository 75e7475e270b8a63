package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.kafka.clients.consumer.ConsumerRecord;

import io.jobqueue.internal.direct.DirectJob;
import io.jobqueue.internal.direct.DirectJob.Ending;
import io.jobqueue.internal.direct.DirectWorker;
import io.jobqueue.internal.kafka.consume.RecordCounts.Outcome;
import io.jobqueue.internal.store.NewJob;

/**
 * Reads the records of a topic, runs or stores their jobs, and counts them.
 */
final class DirectRuns {

	private final String queue;

	private final DirectWorker worker;

	private final RecordReader reader;

	private final RecordCounts counts;

	private final AtomicInteger open = new AtomicInteger();

	private volatile int awaited;

	DirectRuns(String queue, DirectWorker worker, RecordReader reader, RecordCounts counts) {
		this.queue = queue;
		this.worker = worker;
		this.reader = reader;
		this.counts = counts;
	}

	/**
	 * Read a record, which is open until it has ended or is dropped.
	 * @param source the name of its partition
	 */
	DirectRecord read(ConsumerRecord<byte[], byte[]> message, String source) {
		NewJob job = this.reader.read(message, source);
		if (job != null) {
			this.open.incrementAndGet();
		}
		else {
			this.counts.add(Outcome.TOMBSTONE);
		}
		return new DirectRecord(message.offset(), job);
	}

	/**
	 * Run a job, unless its type has no handler here.
	 */
	void runOrStore(DirectJob job) {
		NewJob own = job.job();
		if (!own.type().equals(RecordJob.UNKNOWN) && this.worker.runs(own.queue(), own.type())) {
			this.worker.run(job);
		}
		else {
			this.worker.store(job);
		}
	}

	boolean isPaused() {
		return this.worker.isPaused(this.queue);
	}

	void store(DirectJob job) {
		this.worker.store(job);
	}

	/**
	 * The only attempt of an unknown record is that of its job.
	 */
	void storeLost(DirectJob job) {
		if (job.job().type().equals(RecordJob.UNKNOWN)) {
			this.worker.store(job);
		}
		else {
			this.worker.storeLost(job);
		}
	}

	/**
	 * Note that records do not begin.
	 */
	void dropped(int number) {
		close(number);
	}

	void closed(DirectRecord last, Ending ending) {
		close(1);
		NewJob job = last.job();
		if (job != null) {
			count(last, job, ending);
		}
	}

	private void count(DirectRecord last, NewJob job, Ending ending) {
		switch (ending) {
			case SUCCEEDED -> this.counts.add(Outcome.SUCCEEDED);
			case DUPLICATE -> this.counts.add(Outcome.DUPLICATE);
			case STORED -> this.counts.add(stored(last, job));
			default -> {
			}
		}
	}

	private static Outcome stored(DirectRecord last, NewJob job) {
		if (job.type().equals(RecordJob.UNKNOWN)) {
			return Outcome.UNKNOWN;
		}
		return last.wasRedelivered() ? Outcome.REDELIVERED : Outcome.ENQUEUED;
	}

	private void close(int number) {
		if (this.open.addAndGet(-number) < this.awaited) {
			wake();
		}
	}

	private synchronized void wake() {
		notifyAll();
	}

	/**
	 * Return how many records have not ended.
	 */
	int open() {
		return this.open.get();
	}

	/**
	 * Wait until fewer records are open.
	 */
	synchronized void awaitFewer(int limit, Duration atMost) throws InterruptedException {
		this.awaited = limit;
		long deadline = System.nanoTime() + atMost.toNanos();
		for (long left = atMost.toMillis(); this.open.get() >= limit && left > 0;) {
			wait(left);
			left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
		}
		this.awaited = 0;
	}

}
