package io.jobqueue.internal.dashboard.live;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.concurrent.NamedThreads;

/**
 * The streams of all browsers. While there is one, a thread reads every two seconds
 * whether something has changed, and sends all of them an event if it has, or if ten
 * seconds have passed: ages grow without a change, and proxies close silent connections.
 * If it cannot read, it sends another event, and pages show that they are not live.
 * Without streams there is neither a thread nor a statement.
 */
final class LiveStreams {

	static final int MAX_STREAMS = 200;

	private static final String REFRESH = "event: refresh\ndata:\n\n";

	private static final String LOST = "event: lost\ndata:\n\n";

	/**
	 * A comment, which browsers ignore.
	 */
	private static final String PROBE = ":\n\n";

	private static final Logger logger = LoggerFactory.getLogger(LiveStreams.class);

	private static final long UNKNOWN = -1;

	private final LongSupplier changes;

	private final Runnable onChange;

	private final Duration interval;

	private final Duration silence;

	private final Set<LiveStream> streams = new LinkedHashSet<>();

	private @Nullable Thread sender;

	private boolean stopped;

	/**
	 * Create streams.
	 * @param changes returns another number if something has changed
	 * @param onChange called after a change, before the browsers refresh
	 * @param interval the time between two readings
	 * @param silence the time between two events if nothing changes
	 */
	LiveStreams(LongSupplier changes, Runnable onChange, Duration interval, Duration silence) {
		this.changes = changes;
		this.onChange = onChange;
		this.interval = interval;
		this.silence = silence;
	}

	/**
	 * Return whether another stream may begin.
	 */
	synchronized boolean hasRoom() {
		return !this.stopped && this.streams.size() < MAX_STREAMS;
	}

	/**
	 * Add a stream. If there was a stop meanwhile, it ends.
	 * <p>
	 * Streams lock themselves before they call {@link #remove}, so none is called with
	 * this lock.
	 */
	void add(LiveStream stream) {
		if (!accept(stream)) {
			stream.end();
		}
		else if (stream.hasEnded()) {
			remove(stream);
		}
	}

	private synchronized boolean accept(LiveStream stream) {
		if (this.stopped) {
			return false;
		}
		this.streams.add(stream);
		if (this.sender == null) {
			this.sender = NamedThreads.daemons("jobqueue-dashboard-").newThread(this::send);
			this.sender.start();
		}
		return true;
	}

	synchronized void remove(LiveStream stream) {
		this.streams.remove(stream);
		notifyAll();
	}

	/**
	 * End all streams, and allow no others until the next start.
	 */
	void stop() {
		List<LiveStream> open;
		synchronized (this) {
			this.stopped = true;
			open = List.copyOf(this.streams);
		}
		open.forEach(LiveStream::end);
	}

	synchronized void start() {
		this.stopped = false;
	}

	synchronized boolean isStopped() {
		return this.stopped;
	}

	/**
	 * Return whether there is no thread.
	 */
	synchronized boolean isIdle() {
		return this.sender == null;
	}

	/**
	 * The first event follows even if nothing changes: the first page may have been read
	 * before the changes that the first reading knows.
	 */
	private void send() {
		long known = UNKNOWN;
		long sent = System.nanoTime();
		while (awaitInterval()) {
			open().forEach(LiveStream::endWithoutSession);
			long current = read();
			boolean changed = current != known;
			if (changed) {
				this.onChange.run();
			}
			if (current == UNKNOWN) {
				known = UNKNOWN;
				send(LOST);
			}
			else if (changed || System.nanoTime() - sent >= this.silence.toNanos()) {
				known = current;
				sent = System.nanoTime();
				send(REFRESH);
			}
			else {
				endDeadStreams();
			}
		}
	}

	private void send(String event) {
		open().forEach((stream) -> stream.send(event));
	}

	/**
	 * A server sees that a browser has gone when it writes for the second time. So slots
	 * of streams that have ended are soon free where slots are scarce; else, the next
	 * event follows soon enough.
	 */
	private void endDeadStreams() {
		List<LiveStream> open = open();
		if (open.size() > MAX_STREAMS / 2) {
			open.forEach((stream) -> stream.send(PROBE));
		}
	}

	/**
	 * The thread serves all streams: whatever fails, it goes on.
	 */
	private long read() {
		try {
			return this.changes.getAsLong();
		}
		catch (RuntimeException ex) {
			logger.debug("Could not read whether something has changed", ex);
			return UNKNOWN;
		}
	}

	/**
	 * Return whether there are streams after the interval. If not, the thread ends.
	 */
	private synchronized boolean awaitInterval() {
		long deadline = System.nanoTime() + this.interval.toNanos();
		long left = this.interval.toMillis();
		try {
			while (left > 0 && !this.streams.isEmpty()) {
				wait(left);
				left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			this.streams.clear();
		}
		if (this.streams.isEmpty()) {
			this.sender = null;
		}
		return !this.streams.isEmpty();
	}

	private synchronized List<LiveStream> open() {
		return List.copyOf(this.streams);
	}

}
