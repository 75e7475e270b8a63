package io.jobqueue.signal;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.store.Arrival;
import io.jobqueue.store.Tier;

/**
 * Sends the signals of this JVM's commits to other nodes: what comes within one interval
 * goes together, a signal for each tier.
 */
final class SignalSender implements Runnable, JobSignals.Listener {

	private static final Logger logger = LoggerFactory.getLogger(SignalSender.class);

	private static final Duration INTERVAL = Duration.ofMillis(10);

	private final SignalChannel channel;

	private Map<Tier, Arrival> pending = new LinkedHashMap<>();

	private boolean failing;

	private boolean closed;

	SignalSender(SignalChannel channel) {
		this.channel = channel;
	}

	@Override
	public synchronized void onArrival(Collection<Arrival> signals) {
		if (!this.closed) {
			signals.forEach((signal) -> this.pending.merge(signal.tier(), signal, Arrival::and));
			notifyAll();
		}
	}

	@Override
	public void run() {
		try {
			for (List<Arrival> signals = take(); !signals.isEmpty(); signals = take()) {
				send(signals);
				Thread.sleep(INTERVAL.toMillis());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Wait for signals.
	 * @return the signals, none when closed
	 */
	private synchronized List<Arrival> take() throws InterruptedException {
		while (this.pending.isEmpty() && !this.closed) {
			wait();
		}
		List<Arrival> signals = List.copyOf(this.pending.values());
		this.pending = new LinkedHashMap<>();
		return signals;
	}

	private void send(List<Arrival> signals) {
		try {
			this.channel.send(signals);
			if (this.failing) {
				logger.info("Other nodes are told of commits again");
			}
			this.failing = false;
		}
		catch (Throwable ex) {
			if (!this.failing) {
				logger.warn("Other nodes cannot be told of commits; they find the jobs at their next poll", ex);
			}
			this.failing = true;
		}
	}

	synchronized void close() {
		this.closed = true;
		notifyAll();
	}

}
