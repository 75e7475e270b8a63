package io.jobqueue.internal.pull;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.JobSource;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.worker.fetch.JobFetcher;

/**
 * The pollers of all sources. A poller that no thread has used for {@link #KEEP_IDLE} is
 * removed.
 */
final class SourcePollers {

	private static final Logger logger = LoggerFactory.getLogger(SourcePollers.class);

	static final Duration KEEP_IDLE = Duration.ofMinutes(10);

	private final Map<JobSource<?>, SourcePoller> bySource = new ConcurrentHashMap<>();

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
		SourcePoller poller = this.bySource.computeIfAbsent(source, this::open);
		poller.entered();
		return poller;
	}

	private SourcePoller open(JobSource<?> source) {
		SourcePoller poller = this.newPoller.apply(source);
		if (this.closed) {
			poller.close();
		}
		else {
			this.signals.subscribe(poller.fetcher());
		}
		return poller;
	}

	void leave(JobSource<?> source) {
		if (isLastAfterClose(source)) {
			this.ended.complete(null);
		}
	}

	private synchronized boolean isLastAfterClose(JobSource<?> source) {
		SourcePoller poller = this.bySource.get(source);
		if (poller != null) {
			poller.left();
		}
		return this.closed && !isUsed();
	}

	/**
	 * Remove the pollers that no thread has used for {@link #KEEP_IDLE}.
	 */
	synchronized void closeIdle() {
		List<SourcePoller> idle = all().stream().filter((poller) -> poller.isUnusedFor(KEEP_IDLE)).toList();
		idle.forEach(this::unsubscribe);
		this.bySource.values().removeAll(idle);
	}

	private void unsubscribe(SourcePoller poller) {
		this.signals.unsubscribe(poller.fetcher());
	}

	private Collection<SourcePoller> all() {
		return this.bySource.values();
	}

	List<JobFetcher> fetchers() {
		return all().stream().map(SourcePoller::fetcher).toList();
	}

	/**
	 * Return the types of all sources, by queue.
	 */
	Map<String, Set<String>> types() {
		Map<String, Set<String>> types = new TreeMap<>();
		for (SourcePoller poller : all()) {
			poller.types()
				.served()
				.all()
				.forEach((queue, names) -> types.computeIfAbsent(queue, (name) -> new TreeSet<>()).addAll(names));
		}
		return types;
	}

	Set<String> queues() {
		return types().keySet();
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
	CompletableFuture<Void> ended() {
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
		return this.bySource.values().stream().anyMatch(SourcePoller::isUsed);
	}

}
