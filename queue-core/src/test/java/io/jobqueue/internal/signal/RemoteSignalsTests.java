package io.jobqueue.internal.signal;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.Notice;
import io.jobqueue.internal.store.Notice.PausesChanged;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.WakeUp.SlotFreed;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What nodes know of each other's pauses although the way between them is broken for a
 * while.
 */
class RemoteSignalsTests {

	private final Semaphore sent = new Semaphore(0);

	private final JobSignals signals = new JobSignals();

	private final RemoteSignals remote = new RemoteSignals(this.signals, new BrokenChannel(), true, "node");

	@AfterEach
	void stop() {
		this.remote.stop();
	}

	@Test
	void pausesAreSentUntilThatSucceeds() throws InterruptedException {
		this.remote.start();
		this.signals.publish(new PausesChanged());
		assertThat(this.sent.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void failureIsOneLineOfTheLog() throws InterruptedException {
		try (CapturedLog log = new CapturedLog()) {
			pausesAreSentUntilThatSucceeds();
			assertThat(log.text("Could not send signals to other nodes, which").lines())
				.satisfiesExactly((line) -> assertThat(line).endsWith(": IllegalStateException: No connection"));
		}
	}

	@Test
	void pausesAreReadWhenListeningBegins() throws InterruptedException {
		Semaphore look = new Semaphore(0);
		this.signals.subscribe(new JobSignals.Listener() {

			@Override
			public void onNotice(Notice notice) {
				assertThat(RemoteSignalsTests.this.remote.isConnected()).isTrue();
				look.release();
			}

		});
		this.remote.start();
		assertThat(look.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void lostSignalsAreReportedWhenListeningBegins() throws InterruptedException {
		Semaphore polls = new Semaphore(0);
		this.signals.subscribe(new JobSignals.Listener() {

			@Override
			public void onLostSignals() {
				assertThat(RemoteSignalsTests.this.remote.isConnected()).isTrue();
				polls.release();
			}

		});
		this.remote.start();
		assertThat(polls.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
	}

	/**
	 * The channel sends when the stop waits for it, or has not.
	 */
	@Test
	void stopWaitsUntilTheSignalsOfEarlierCommitsAreSent() {
		Thread stopping = Thread.currentThread();
		AtomicBoolean stopped = new AtomicBoolean();
		List<WakeUp> sent = new CopyOnWriteArrayList<>();
		RemoteSignals slow = new RemoteSignals(this.signals, new SlowChannel(() -> {
			while (stopping.getState() != Thread.State.TIMED_WAITING && !stopped.get()) {
				Thread.onSpinWait();
			}
			return !stopped.get();
		}, sent), false, "node");
		slow.start();
		this.signals.publish(List.of(new SlotFreed("emails")));
		slow.stop();
		stopped.set(true);
		assertThat(sent).hasSize(1);
	}

	@Test
	void freedSlotTakesThePlaceOfNoJobs() {
		List<WakeUp> sent = new CopyOnWriteArrayList<>();
		RemoteSignals open = new RemoteSignals(this.signals, new SlowChannel(() -> true, sent), false, "node");
		JobsAvailable urgent = new JobsAvailable(new Tier("emails", 0), JobPosition.at(Instant.EPOCH), Duration.ZERO);
		open.start();
		this.signals.publish(List.of(urgent, new SlotFreed("emails")));
		open.stop();
		assertThat(sent).containsExactlyInAnyOrder(urgent, new SlotFreed("emails"));
	}

	/**
	 * Sends when it may, if it may.
	 */
	private record SlowChannel(BooleanSupplier permission, List<WakeUp> sent) implements SignalChannel {

		@Override
		public void send(Collection<WakeUp> signals) {
			if (this.permission.getAsBoolean()) {
				this.sent.addAll(signals);
			}
		}

		@Override
		public void send(Notice notice) {
		}

		@Override
		public Subscription subscribe() {
			return new SilentSubscription();
		}

	}

	/**
	 * Can send at the third attempt.
	 */
	private final class BrokenChannel implements SignalChannel {

		private final AtomicInteger attempts = new AtomicInteger();

		@Override
		public void send(Collection<WakeUp> signals) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void send(Notice notice) {
			if (this.attempts.incrementAndGet() < 3) {
				throw new IllegalStateException("No connection");
			}
			RemoteSignalsTests.this.sent.release();
		}

		@Override
		public Subscription subscribe() {
			return new SilentSubscription();
		}

	}

	/**
	 * Receives no signal.
	 */
	private static final class SilentSubscription implements SignalChannel.Subscription {

		@Override
		public void await(Duration atMost, SignalChannel.Receiver receiver) {
			try {
				Thread.sleep(10);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		@Override
		public void close() {
		}

	}

}
