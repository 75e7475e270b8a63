package io.jobqueue.internal.kafka.relay;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.concurrent.NamedThreads;
import io.jobqueue.internal.relay.Relay;
import io.jobqueue.internal.relay.RelayTarget;
import io.jobqueue.internal.relay.RelayedJob;

/**
 * A topic of Kafka to which the jobs of a queue go. A thread of its own calls the
 * producer, so that only that waits for metadata.
 */
final class KafkaRelay implements RelayTarget {

	private static final Duration LAST_CALL = Duration.ofSeconds(1);

	private static final Duration CHECKS = Duration.ofMillis(10);

	private final Relay relay;

	private final RelayProducers producers;

	private volatile @Nullable Sender sender;

	private volatile @Nullable Thread thread;

	KafkaRelay(Relay relay, RelayProducers producers) {
		this.relay = relay;
		this.producers = producers;
	}

	@Override
	public void start(Runnable freed) {
		Sender next = new Sender(this.relay, this.producers, freed);
		Thread thread = NamedThreads.daemons("jobqueue-relay-" + this.relay.queue() + "-").newThread(next);
		this.sender = next;
		this.thread = thread;
		thread.start();
	}

	@Override
	public int capacity() {
		Sender current = this.sender;
		return (current != null) ? current.capacity() : 0;
	}

	@Override
	public long bytes() {
		Sender current = this.sender;
		return (current != null) ? current.inFlight().freeBytes() : 0;
	}

	@Override
	public void send(List<RelayedJob> jobs) {
		Sender current = this.sender;
		if (current != null) {
			current.accept(jobs);
		}
		else {
			jobs.forEach(RelayedJob::release);
		}
	}

	@Override
	public @Nullable String problem() {
		Sender current = this.sender;
		return (current != null) ? current.problem() : null;
	}

	@Override
	public void stop(Duration atMost) throws InterruptedException {
		Sender last = this.sender;
		Thread thread = this.thread;
		this.sender = null;
		this.thread = null;
		if (last != null && thread != null) {
			last.stop();
			try {
				awaitAcknowledgements(last, atMost);
			}
			finally {
				thread.interrupt();
				last.abort();
				thread.join(LAST_CALL.toMillis());
				// The thread may have been creating a producer
				last.abort();
			}
		}
	}

	private static void awaitAcknowledgements(Sender last, Duration atMost) throws InterruptedException {
		long deadline = System.nanoTime() + atMost.toNanos();
		while (!last.inFlight().isEmpty() && last.problem() == null && System.nanoTime() - deadline < 0) {
			Thread.sleep(CHECKS.toMillis());
		}
	}

}
