package io.jobqueue.internal.kafka.consume;

import java.time.Duration;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.direct.DirectJob;
import io.jobqueue.internal.direct.DirectJob.Ending;
import io.jobqueue.internal.store.SourceStore.Assignment;

/**
 * A record that a share group has delivered to a consumer of this node, and no other one,
 * until its lock expires.
 */
final class AcquiredRecord {

	private final ConsumerRecord<byte[], byte[]> message;

	private final DirectRuns runs;

	private final DirectRecord record;

	private final @Nullable DirectJob job;

	private @Nullable Ending ending;

	AcquiredRecord(ConsumerRecord<byte[], byte[]> message, ConsumedTopic topic, DirectRuns runs) {
		this.message = message;
		this.runs = runs;
		this.record = runs.read(message, topic.source(message.partition()));
		this.job = (this.record.job() != null)
				? new DirectJob(this.record.job(), Assignment.shared(topic.source()), (own, end) -> ended(end)) : null;
	}

	ConsumerRecord<byte[], byte[]> message() {
		return this.message;
	}

	/**
	 * Begin the record. One that was delivered before becomes a job whose first attempt
	 * counts as lost: it may have killed its JVM.
	 * @param run whether its handler may run, else it becomes a job without an attempt
	 */
	void begin(boolean run) {
		if (this.job == null) {
			ended(Ending.SUCCEEDED);
			return;
		}
		if (this.message.deliveryCount().orElse((short) 1) > 1) {
			this.record.redelivered();
			this.runs.storeLost(this.job);
		}
		else if (run) {
			this.runs.runOrStore(this.job);
		}
		else {
			this.runs.store(this.job);
		}
	}

	private synchronized void ended(Ending end) {
		this.ending = end;
		notifyAll();
	}

	/**
	 * Wait until the handler of the record has succeeded or its job is stored. A record
	 * that was withdrawn is stored meanwhile.
	 * @return {@code false} if it has not ended in time
	 */
	boolean awaitEnd(Duration atMost) throws InterruptedException {
		Ending end = await(atMost);
		if (end == Ending.WITHDRAWN && this.job != null) {
			this.runs.store(this.job);
			return false;
		}
		if (end != null && this.job != null) {
			this.runs.closed(this.record, end);
		}
		return end != null;
	}

	/**
	 * Return how the record has ended, {@code null} if it has not in time.
	 */
	private synchronized @Nullable Ending await(Duration atMost) throws InterruptedException {
		long deadline = System.nanoTime() + atMost.toNanos();
		for (long left = atMost.toMillis(); this.ending == null && left > 0;) {
			wait(left);
			left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
		}
		Ending end = this.ending;
		this.ending = null;
		return end;
	}

	boolean isOf(DirectJob other) {
		return other == this.job;
	}

}
