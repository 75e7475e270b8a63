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
 * Sends the signals of this JVM's commits to other nodes. Those of one interval are sent
 * together, one signal for each tier.
 */
final class SignalSender implements Runnable, JobSignals.Listener {

	private static final Logger logger = LoggerFactory.getLogger(SignalSender.class);

	private static final Duration INTERVAL = Duration.ofMillis(10);

	/**
	 * The time before unsent pauses are sent again: without their signal, workers
	 * continue to claim until the next heartbeat. Wake-ups are not sent again, since
	 * polls find their jobs.
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
	 * Send the signal of a pause or resume.
	 */
	synchronized void onPauses() {
		this.pauses = true;
		notifyAll();
	}

	@Override
	public void run() {
		try {
			while (await()) {
				boolean sent = send();
				Thread.sleep((sent ? INTERVAL : RETRY).toMillis());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Wait for signals.
	 * @return {@code false} if the sender is closed and has no signals to send
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

	/**
	 * No error may end the thread, as no other thread replaces it.
	 */
	private boolean send() {
		boolean withPauses = false;
		try {
			withPauses = takePauses();
			send(take(), withPauses);
			this.failures.succeeded();
			return true;
		}
		catch (Throwable ex) {
			keep(withPauses);
			if (!isClosed()) {
				Duration unused = this.failures.failed(ex);
			}
			return false;
		}
	}

	private void send(List<WakeUp> signals, boolean withPauses) {
		if (withPauses) {
			this.channel.sendPauses();
		}
		if (!signals.isEmpty()) {
			this.channel.send(signals);
		}
	}

	private synchronized void keep(boolean unsentPauses) {
		this.pauses |= unsentPauses && !this.closed;
	}

	private synchronized boolean isClosed() {
		return this.closed;
	}

	/**
	 * Accept no further signals. The sender ends when the pending ones are sent.
	 */
	synchronized void close() {
		this.closed = true;
		notifyAll();
	}

}
