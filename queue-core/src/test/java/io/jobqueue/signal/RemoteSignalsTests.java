package io.jobqueue.signal;

import java.util.Collection;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.store.Arrival;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What other nodes are told although the way to them is broken for a while.
 */
class RemoteSignalsTests {

	private final AtomicInteger failures = new AtomicInteger(2);

	private final Semaphore told = new Semaphore(0);

	private final JobSignals signals = new JobSignals();

	private final RemoteSignals remote = new RemoteSignals(this.signals, new BrokenChannel(), false, "node");

	@AfterEach
	void stop() {
		this.remote.stop();
	}

	@Test
	void pausesAreToldUntilTheyAreHeard() throws InterruptedException {
		this.remote.start();
		this.signals.publishPauses();
		assertThat(this.told.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.failures).hasNegativeValue();
	}

	/**
	 * Fails twice.
	 */
	private final class BrokenChannel implements SignalChannel {

		@Override
		public void send(Collection<Arrival> arrivals) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void sendPauses() {
			if (RemoteSignalsTests.this.failures.getAndDecrement() > 0) {
				throw new IllegalStateException("No connection");
			}
			RemoteSignalsTests.this.told.release();
		}

		@Override
		public Ear listen() {
			throw new UnsupportedOperationException();
		}

	}

}
