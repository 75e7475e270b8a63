package io.jobqueue.internal.signal;

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

import io.jobqueue.internal.logging.FailureLog;
import io.jobqueue.internal.store.Notice;
import io.jobqueue.internal.store.Notice.TickDue;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.WakeUp.SlotFreed;

/**
 * Sends the signals of this JVM's commits to other nodes. Those of one interval are sent
 * together, one signal for each tier.
 */
final class SignalSender implements Runnable, JobSignals.Listener {

	private static final Logger logger = LoggerFactory.getLogger(SignalSender.class);

	private static final Duration INTERVAL = Duration.ofMillis(10);

	/**
	 * The time before unsent notices are sent again: without the signal of a pause,
	 * workers continue to claim until the next heartbeat. Wake-ups are not sent again,
	 * since polls find their jobs.
	 */
	private static final Duration RETRY = Duration.ofMillis(200);

	private final SignalChannel channel;

	private final Map<Tier, JobsAvailable> jobs = new LinkedHashMap<>();

	private final Set<SlotFreed> slots = new LinkedHashSet<>();

	private final Map<Class<? extends Notice>, Notice> notices = new LinkedHashMap<>();

	private final FailureLog failures = new FailureLog(logger,
			"Could not send signals to other nodes, which find commits, pauses and schedules at their next poll or heartbeat",
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
	 * Send a notice. Of several ticks, the earliest is sent.
	 */
	@Override
	public synchronized void onNotice(Notice notice) {
		this.notices.merge(notice.getClass(), notice, SignalSender::earlier);
		notifyAll();
	}

	private static Notice earlier(Notice one, Notice other) {
		return (one instanceof TickDue first && other instanceof TickDue second
				&& second.in().compareTo(first.in()) < 0) ? other : one;
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
		while (hasNone() && !this.closed) {
			wait();
		}
		return !hasNone();
	}

	private boolean hasNone() {
		return this.jobs.isEmpty() && this.slots.isEmpty() && this.notices.isEmpty();
	}

	private synchronized List<WakeUp> take() {
		List<WakeUp> signals = new ArrayList<>(this.jobs.values());
		signals.addAll(this.slots);
		this.jobs.clear();
		this.slots.clear();
		return signals;
	}

	private synchronized List<Notice> takeNotices() {
		List<Notice> taken = List.copyOf(this.notices.values());
		this.notices.clear();
		return taken;
	}

	/**
	 * No error may end the thread, as no other thread replaces it.
	 */
	private boolean send() {
		List<Notice> taken = List.of();
		try {
			taken = takeNotices();
			send(take(), taken);
			this.failures.succeeded();
			return true;
		}
		catch (Throwable ex) {
			keep(taken);
			if (!isClosed()) {
				Duration unused = this.failures.failed(ex);
			}
			return false;
		}
	}

	private void send(List<WakeUp> signals, List<Notice> taken) {
		taken.forEach(this.channel::send);
		if (!signals.isEmpty()) {
			this.channel.send(signals);
		}
	}

	private synchronized void keep(List<Notice> unsent) {
		if (!this.closed) {
			unsent.forEach(this::onNotice);
		}
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
