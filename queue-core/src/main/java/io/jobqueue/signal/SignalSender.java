package io.jobqueue.signal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.logging.FailureLog;
import io.jobqueue.store.Tier;
import io.jobqueue.store.WakeUp;
import io.jobqueue.store.WakeUp.JobsAvailable;
import io.jobqueue.store.WakeUp.SlotFreed;

/**
 * Sends the signals of this JVM's commits to other nodes: what comes within one interval
 * goes together, a signal for each tier.
 */
final class SignalSender implements Runnable, JobSignals.Listener {

	private static final Logger logger = LoggerFactory.getLogger(SignalSender.class);

	private static final Duration INTERVAL = Duration.ofMillis(10);

	/**
	 * Who is not told of a pause goes on claiming, where polling makes up for a commit.
	 */
	private static final Duration RETRY = Duration.ofMillis(200);

	private final SignalChannel channel;

	private final Map<Tier, JobsAvailable> jobs = new LinkedHashMap<>();

	private final Set<SlotFreed> slots = new LinkedHashSet<>();

	private boolean pauses;

	private final FailureLog failures = new FailureLog(logger,
			"Could not send signals to other nodes, which find commits and pauses at their next poll or heartbeat",
			"Signals to other nodes are sent again");

	private boolean closed;

	SignalSender(SignalChannel channel) {
		this.channel = channel;
	}

	@Override
	public synchronized void onWakeUps(Collection<? extends WakeUp> signals) {
		if (!this.closed) {
			signals.forEach(this::add);
			notifyAll();
		}
	}

	private void add(WakeUp signal) {
		if (signal instanceof JobsAvailable available) {
			this.jobs.merge(available.tier(), available, JobsAvailable::and);
		}
		else if (signal instanceof SlotFreed slot) {
			this.slots.add(slot);
		}
	}

	/**
	 * Tell that something was paused or resumed.
	 */
	synchronized void onPauses() {
		this.pauses = true;
		notifyAll();
	}

	@Override
	public void run() {
		try {
			while (await()) {
				boolean sent = send(take(), takePauses());
				Thread.sleep((sent ? INTERVAL : RETRY).toMillis());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Wait for signals.
	 * @return whether there are any, and not the end of it
	 */
	private synchronized boolean await() throws InterruptedException {
		while (hasNone() && !this.pauses && !this.closed) {
			wait();
		}
		return !hasNone() || this.pauses;
	}

	private boolean hasNone() {
		return this.jobs.isEmpty() && this.slots.isEmpty();
	}

	private synchronized List<WakeUp> take() {
		List<WakeUp> signals = new ArrayList<>(this.jobs.values());
		signals.addAll(this.slots);
		this.jobs.clear();
		this.slots.clear();
		return signals;
	}

	private synchronized boolean takePauses() {
		boolean taken = this.pauses;
		this.pauses = false;
		return taken;
	}

	private boolean send(List<WakeUp> signals, boolean withPauses) {
		try {
			if (withPauses) {
				this.channel.sendPauses();
			}
			if (!signals.isEmpty()) {
				this.channel.send(signals);
			}
			this.failures.succeeded();
			return true;
		}
		catch (Throwable ex) {
			if (!isClosed()) {
				Duration unused = this.failures.failed(ex);
			}
			keep(withPauses);
			return false;
		}
	}

	private synchronized void keep(boolean untoldPauses) {
		this.pauses |= untoldPauses && !this.closed;
	}

	private synchronized boolean isClosed() {
		return this.closed;
	}

	/**
	 * Take no further signals. The sender ends when those that are pending are sent.
	 */
	synchronized void close() {
		this.closed = true;
		notifyAll();
	}

}
