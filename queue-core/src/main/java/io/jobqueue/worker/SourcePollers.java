package io.jobqueue.worker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.jobqueue.JobSource;
import io.jobqueue.signal.JobSignals;

/**
 * The lines of threads that pull, one for each source. One that nobody has used for a
 * while is given up.
 */
final class SourcePollers implements Poller {

	static final Duration KEEP_IDLE = Duration.ofMinutes(10);

	private final Map<JobSource<?>, Entry> bySource = new ConcurrentHashMap<>();

	private final JobSignals signals;

	private final Function<JobSource<?>, SourcePoller> newLine;

	private boolean closed;

	SourcePollers(JobSignals signals, Function<JobSource<?>, SourcePoller> newLine) {
		this.signals = signals;
		this.newLine = newLine;
	}

	/**
	 * Return the line of a source, which has to be left again. This asks no database.
	 */
	synchronized SourcePoller enter(JobSource<?> source) {
		Entry entry = this.bySource.get(source);
		if (entry == null) {
			entry = open(source);
			this.bySource.put(source, entry);
		}
		entry.users++;
		return entry.line;
	}

	private Entry open(JobSource<?> source) {
		SourcePoller line = this.newLine.apply(source);
		if (this.closed) {
			line.close();
		}
		else {
			this.signals.subscribe(line.fetcher());
		}
		return new Entry(line);
	}

	synchronized void leave(JobSource<?> source) {
		Entry entry = this.bySource.get(source);
		if (entry != null) {
			entry.users--;
			entry.leftAt = System.nanoTime();
			notifyAll();
		}
	}

	/**
	 * Give up lines that nobody has used for a while.
	 */
	synchronized void tidy() {
		this.bySource.values().stream().filter(Entry::isIdle).forEach((entry) -> unsubscribe(entry.line()));
		this.bySource.values().removeIf(Entry::isIdle);
	}

	private void unsubscribe(SourcePoller line) {
		this.signals.unsubscribe(line.fetcher());
	}

	List<SourcePoller> all() {
		return this.bySource.values().stream().map(Entry::line).toList();
	}

	Set<String> queues() {
		Set<String> queues = new TreeSet<>();
		all().stream().map((line) -> line.types().served().queues()).forEach(queues::addAll);
		return queues;
	}

	@Override
	public void follow(PollTurn rota) {
		all().forEach((line) -> line.fetcher().follow(rota));
	}

	@Override
	public void pollNow() {
		all().forEach((line) -> line.fetcher().pollNow());
	}

	void wake() {
		all().forEach((line) -> line.fetcher().wake());
	}

	/**
	 * Let nobody wait any more.
	 */
	synchronized void close() {
		this.closed = true;
		all().forEach(SourcePoller::close);
		all().forEach(this::unsubscribe);
	}

	/**
	 * Wait until no thread uses any line.
	 */
	synchronized void awaitUnused(Duration atMost) throws InterruptedException {
		long deadline = System.nanoTime() + atMost.toNanos();
		for (long left = atMost.toMillis(); isUsed() && left > 0;) {
			wait(left);
			left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
		}
	}

	private boolean isUsed() {
		return this.bySource.values().stream().anyMatch((entry) -> entry.users > 0);
	}

	/**
	 * A line, and who uses it.
	 */
	private static final class Entry {

		private final SourcePoller line;

		private int users;

		private long leftAt = System.nanoTime();

		Entry(SourcePoller line) {
			this.line = line;
		}

		SourcePoller line() {
			return this.line;
		}

		boolean isIdle() {
			return this.users == 0 && System.nanoTime() - this.leftAt > KEEP_IDLE.toNanos();
		}

	}

}
