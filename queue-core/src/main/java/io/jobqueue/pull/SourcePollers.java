package io.jobqueue.pull;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.JobSource;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.worker.fetch.JobFetcher;

/**
 * The pollers of all sources. A poller that no thread has used for {@link #KEEP_IDLE} is
 * removed.
 */
final class SourcePollers {

	private static final Logger logger = LoggerFactory.getLogger(SourcePollers.class);

	static final Duration KEEP_IDLE = Duration.ofMinutes(10);

	private final Map<JobSource<?>, Entry> bySource = new ConcurrentHashMap<>();

	private final JobSignals signals;

	private final Function<JobSource<?>, SourcePoller> newPoller;

	private final CompletableFuture<Void> ended = new CompletableFuture<>();

	private boolean closed;

	SourcePollers(JobSignals signals, Function<JobSource<?>, SourcePoller> newPoller) {
		this.signals = signals;
		this.newPoller = newPoller;
	}

	/**
	 * Return the poller of a source. The caller must {@linkplain #leave leave} it after
	 * use. This sends no statement.
	 */
	synchronized SourcePoller enter(JobSource<?> source) {
		Entry entry = this.bySource.get(source);
		if (entry == null) {
			entry = open(source);
			this.bySource.put(source, entry);
		}
		entry.users++;
		return entry.poller;
	}

	private Entry open(JobSource<?> source) {
		SourcePoller poller = this.newPoller.apply(source);
		if (this.closed) {
			poller.close();
		}
		else {
			this.signals.subscribe(poller.fetcher());
		}
		return new Entry(poller);
	}

	void leave(JobSource<?> source) {
		if (isLastAfterClose(source)) {
			this.ended.complete(null);
		}
	}

	private synchronized boolean isLastAfterClose(JobSource<?> source) {
		Entry entry = this.bySource.get(source);
		if (entry != null) {
			entry.users--;
			entry.leftAt = System.nanoTime();
		}
		return this.closed && !isUsed();
	}

	/**
	 * Remove the pollers that no thread has used for {@link #KEEP_IDLE}.
	 */
	synchronized void closeIdle() {
		this.bySource.values().stream().filter(Entry::isIdle).forEach((entry) -> unsubscribe(entry.poller()));
		this.bySource.values().removeIf(Entry::isIdle);
	}

	private void unsubscribe(SourcePoller poller) {
		this.signals.unsubscribe(poller.fetcher());
	}

	private List<SourcePoller> all() {
		return this.bySource.values().stream().map(Entry::poller).toList();
	}

	List<JobFetcher> fetchers() {
		return all().stream().map(SourcePoller::fetcher).toList();
	}

	Set<String> queues() {
		Set<String> queues = new TreeSet<>();
		all().stream().map((poller) -> poller.types().served().queues()).forEach(queues::addAll);
		return queues;
	}

	/**
	 * End all waiting pulls and permit no further ones.
	 */
	void close() {
		if (isUnusedAfterClose()) {
			this.ended.complete(null);
		}
	}

	private synchronized boolean isUnusedAfterClose() {
		this.closed = true;
		all().forEach(SourcePoller::close);
		all().forEach(this::unsubscribe);
		return !isUsed();
	}

	/**
	 * Return a stage that completes after the close, when no thread uses any poller. The
	 * last of these threads completes it, without a lock of the pollers.
	 */
	CompletionStage<Void> ended() {
		return this.ended;
	}

	/**
	 * Wait after the close until no thread uses any poller.
	 */
	void awaitUnused(Duration atMost) throws InterruptedException {
		try {
			this.ended.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.debug("Threads still pull jobs after {}", atMost);
		}
	}

	private boolean isUsed() {
		return this.bySource.values().stream().anyMatch((entry) -> entry.users > 0);
	}

	/**
	 * A poller and the number of threads that use it.
	 */
	private static final class Entry {

		private final SourcePoller poller;

		private int users;

		private long leftAt = System.nanoTime();

		Entry(SourcePoller poller) {
			this.poller = poller;
		}

		SourcePoller poller() {
			return this.poller;
		}

		boolean isIdle() {
			return this.users == 0 && System.nanoTime() - this.leftAt > KEEP_IDLE.toNanos();
		}

	}

}
