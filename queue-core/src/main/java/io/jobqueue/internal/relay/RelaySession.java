package io.jobqueue.internal.relay;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.concurrent.NamedThreads;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.policy.WorkerSettings;
import io.jobqueue.internal.store.WorkerStore.Worker;
import io.jobqueue.internal.worker.Heartbeat;
import io.jobqueue.internal.worker.UnpausedTypes;
import io.jobqueue.internal.worker.WorkerRuntime;
import io.jobqueue.internal.worker.WorkerServices;
import io.jobqueue.internal.worker.execution.RunningJob;
import io.jobqueue.internal.worker.fetch.ClaimRequests;
import io.jobqueue.internal.worker.fetch.FetchLoop;
import io.jobqueue.internal.worker.fetch.JobFetcher;
import io.jobqueue.internal.worker.fetch.ServedTypes;

/**
 * A worker for relayed queues from one start to the next stop, with its own id.
 */
final class RelaySession {

	private static final Logger logger = LoggerFactory.getLogger(RelaySession.class);

	private static final Duration LEASE_CHECKS = Duration.ofSeconds(1);

	private static final Duration LAST_CLAIM = Duration.ofSeconds(2);

	/**
	 * The maximum time of a stop to wait for a broker that answers.
	 */
	private static final Duration LAST_ACKNOWLEDGEMENTS = Duration.ofSeconds(5);

	private final WorkerServices services;

	private final WorkerSettings settings;

	private final Map<String, RelayTarget> targets;

	private final WorkerRuntime runtime;

	private final Heartbeat heartbeat;

	private final RelaySink sink;

	private final JobFetcher fetcher;

	private final FetchLoop fetchLoop;

	private final Thread fetcherThread;

	private final CompletableFuture<Void> lastClaim = new CompletableFuture<>();

	RelaySession(WorkerServices services, WorkerSettings settings, Function<String, QueueSettings> queues,
			Map<String, RelayTarget> targets) {
		this.services = services;
		this.settings = settings;
		this.targets = targets;
		this.runtime = new WorkerRuntime(services, settings, queues,
				(role) -> NamedThreads.of(settings.name(), "relay-" + role));
		ServedTypes types = ServedTypes.ofAny(targets.keySet());
		ClaimRequests requests = new ClaimRequests(types, queues, settings, this.runtime.claims()::nextNumber);
		this.heartbeat = new Heartbeat(worker(types), services, settings,
				new Heartbeat.Activity(this::open, this::fetchers, targets::keySet, () -> open().isEmpty()), null);
		this.sink = new RelaySink(this.runtime, targets, this.heartbeat);
		this.fetcher = this.runtime.fetcher(this.sink, requests,
				new UnpausedTypes(types, requests, this.heartbeat.pauses()));
		this.fetchLoop = new FetchLoop(this.fetcher);
		this.fetcherThread = NamedThreads.of(settings.name(), "relay-fetcher").newThread(this::fetch);
	}

	private Worker worker(ServedTypes types) {
		return this.runtime.worker(types.queues(), types.service(this.settings), types.all(),
				(queue) -> RelaySink.MAX_CLAIM);
	}

	List<RunningJob> running() {
		return open().stream().map(RelayedJob::running).toList();
	}

	private Set<RelayedJob> open() {
		return this.sink.open();
	}

	private List<JobFetcher> fetchers() {
		return List.of(this.fetcher);
	}

	void start() {
		this.targets.values().forEach((target) -> target.start(this.fetcher::wake));
		this.services.signals().subscribe(this.fetcher);
		this.runtime.start(this.heartbeat);
		this.fetcherThread.start();
		this.runtime.repeat("release of unacknowledged jobs", () -> open().forEach(RelayedJob::releaseOverdue),
				LEASE_CHECKS);
		logger.info("Worker {} ({}) relays {}", this.settings.name(), this.runtime.id(), this.targets.keySet());
	}

	private void fetch() {
		try {
			this.fetchLoop.run();
		}
		finally {
			this.lastClaim.complete(null);
		}
	}

	/**
	 * Stop claiming, wait for the brokers that answer, and release the other jobs.
	 */
	void stop() throws InterruptedException {
		this.runtime.giveUpAfter(LAST_CLAIM.plus(LAST_ACKNOWLEDGEMENTS));
		this.services.signals().unsubscribe(this.fetcher);
		this.sink.close();
		this.fetchLoop.close();
		try {
			this.fetcherThread.join(LAST_CLAIM.toMillis());
			long deadline = System.nanoTime() + lastAcknowledgements().toNanos();
			for (RelayTarget target : this.targets.values()) {
				target.stop(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
			}
		}
		finally {
			open().forEach(RelayedJob::release);
			if (!this.fetcherThread.isAlive()) {
				this.lastClaim.complete(null);
			}
			this.runtime.end(this.heartbeat, this.lastClaim);
		}
	}

	private Duration lastAcknowledgements() {
		Duration timeout = this.settings.releaseOnStop() ? Duration.ZERO : this.settings.shutdownTimeout();
		return (timeout.compareTo(LAST_ACKNOWLEDGEMENTS) < 0) ? timeout : LAST_ACKNOWLEDGEMENTS;
	}

}
