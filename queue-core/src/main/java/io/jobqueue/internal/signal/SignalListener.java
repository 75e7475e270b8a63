package io.jobqueue.internal.signal;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.logging.FailureLog;
import io.jobqueue.internal.signal.SignalChannel.Subscription;
import io.jobqueue.internal.store.Notice.PausesChanged;

/**
 * Receives the signals of other nodes, and subscribes again if the subscription breaks.
 */
final class SignalListener implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(SignalListener.class);

	private static final Duration SLICE = Duration.ofMillis(500);

	private static final Duration PAUSE = Duration.ofSeconds(10);

	private final SignalChannel channel;

	private final JobSignals signals;

	private final CountDownLatch closing = new CountDownLatch(1);

	private final FailureLog failures = new FailureLog(logger, "LISTEN is unavailable, falling back to polling",
			"LISTEN is available again");

	private volatile boolean connected;

	SignalListener(SignalChannel channel, JobSignals signals) {
		this.channel = channel;
		this.signals = signals;
	}

	boolean isConnected() {
		return this.connected;
	}

	@Override
	public void run() {
		while (!isClosing()) {
			try {
				listen();
			}
			catch (Throwable ex) {
				if (!isClosing()) {
					this.failures.failed(ex);
					pause();
				}
			}
		}
		this.connected = false;
	}

	private void listen() throws Exception {
		try (Subscription subscription = this.channel.subscribe()) {
			subscribed();
			while (!isClosing()) {
				subscription.await(SLICE, this.signals);
			}
		}
		finally {
			lost();
		}
	}

	/**
	 * Signals that were sent before the subscription do not arrive, and polls become less
	 * frequent from now on.
	 */
	private void subscribed() {
		this.connected = true;
		replaceSignals();
		this.failures.succeeded();
	}

	/**
	 * The next poll was scheduled while signals arrived. After the one that takes place
	 * now, polls have their shortest interval.
	 */
	private void lost() {
		if (this.connected && !isClosing()) {
			this.connected = false;
			replaceSignals();
		}
	}

	/**
	 * Workers poll once and read the pauses.
	 */
	private void replaceSignals() {
		this.signals.receive(new PausesChanged());
		this.signals.makeUpForLostSignals();
	}

	/**
	 * The pause of 5 to 10 seconds exceeds the delays of the failure log, as each attempt
	 * opens a connection.
	 */
	private void pause() {
		try {
			long most = PAUSE.toMillis();
			if (this.closing.await(ThreadLocalRandom.current().nextLong(most / 2, most), TimeUnit.MILLISECONDS)) {
				logger.debug("The listener was closed while LISTEN was unavailable");
			}
		}
		catch (InterruptedException ex) {
			close();
		}
	}

	private boolean isClosing() {
		return this.closing.getCount() == 0;
	}

	void close() {
		this.closing.countDown();
	}

}
