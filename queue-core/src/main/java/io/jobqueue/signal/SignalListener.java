package io.jobqueue.signal;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for the commits of other nodes, and begins anew when it can no longer hear
 * them.
 */
final class SignalListener implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(SignalListener.class);

	private static final Duration SLICE = Duration.ofMillis(500);

	private static final Duration PAUSE = Duration.ofSeconds(10);

	private final SignalChannel channel;

	private final JobSignals signals;

	private final Object pause = new Object();

	private boolean reported;

	private volatile boolean hearing;

	private volatile boolean closed;

	SignalListener(SignalChannel channel, JobSignals signals) {
		this.channel = channel;
		this.signals = signals;
	}

	boolean isHearing() {
		return this.hearing;
	}

	@Override
	public void run() {
		while (!this.closed) {
			try (SignalChannel.Ear ear = this.channel.listen()) {
				heard();
				while (!this.closed) {
					ear.await(SLICE, this.signals::receive);
				}
			}
			catch (RuntimeException ex) {
				deaf(ex);
			}
		}
		this.hearing = false;
	}

	private void heard() {
		this.hearing = true;
		if (this.reported) {
			logger.info("Commits of other nodes are heard again");
		}
		this.reported = false;
	}

	private void deaf(RuntimeException ex) {
		this.hearing = false;
		if (!this.reported) {
			logger.warn("Commits of other nodes cannot be heard; polling finds their jobs. {}", ex.getMessage());
			logger.debug("Why commits of other nodes cannot be heard", ex);
		}
		this.reported = true;
		synchronized (this.pause) {
			try {
				if (!this.closed) {
					this.pause.wait(PAUSE.toMillis());
				}
			}
			catch (InterruptedException interrupt) {
				this.closed = true;
			}
		}
	}

	void close() {
		this.closed = true;
		synchronized (this.pause) {
			this.pause.notifyAll();
		}
	}

}
