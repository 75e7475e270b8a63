package io.jobqueue.worker;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Released;
import io.jobqueue.store.Worker;

/**
 * A worker from one start to the next stop, under an id of its own.
 */
final class WorkerSession implements LaneWork {

	private static final Logger logger = LoggerFactory.getLogger(WorkerSession.class);

	private static final Duration LAST_CLAIM = Duration.ofSeconds(2);

	private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(2);

	private static final Duration LAST_WRITES = Duration.ofSeconds(5);

	private final Worker worker;

	private final WorkerParts parts;

	private final WorkerSettings settings;

	private final Lanes lanes;

	private final Settler settler;

	private final Fetcher fetcher;

	private final JobRunner runner;

	private final ScheduledExecutorService schedule;

	private final Thread fetcherThread;

	private final Thread settlerThread;

	WorkerSession(WorkerParts parts, WorkerSettings settings, Function<String, QueueSettings> queues,
			Map<String, Set<String>> types) {
		UUID id = UUID.randomUUID();
		this.worker = new Worker(id, settings.name(), types.keySet(), service(types, settings), settings.timeout());
		this.parts = parts;
		this.settings = settings;
		OpenClaims claims = new OpenClaims();
		this.settler = new Settler(id, parts.jobs(), claims, parts.signals());
		this.runner = new JobRunner(parts.handlers(), queues);
		this.lanes = new Lanes(types.keySet().stream().map((queue) -> {
			int concurrency = queues.apply(queue).concurrency();
			return new Lane(queue, concurrency, HandlerThreads.of(queue, concurrency, settings), this);
		}).toList());
		this.fetcher = new Fetcher(id, parts.jobs(), parts.signals(), this.lanes, new Demands(types, queues, settings),
				claims, new UnseenClaims(settings.timeout()),
				new PollSchedule(settings.pollInterval(), settings.maxPollInterval(), parts.wakeUpWorks()));
		this.schedule = Executors.newScheduledThreadPool(3, threads("heartbeat"));
		this.fetcherThread = threads("fetcher").newThread(this.fetcher);
		this.settlerThread = threads("settler").newThread(this.settler);
	}

	private static UUID service(Map<String, Set<String>> types, WorkerSettings settings) {
		String served = "%s %d-%d".formatted(new TreeMap<>(types), settings.minPriority(), settings.maxPriority());
		return UUID.nameUUIDFromBytes(served.getBytes(StandardCharsets.UTF_8));
	}

	private CustomizableThreadFactory threads(String role) {
		return new CustomizableThreadFactory("jobqueue-%s@%s-".formatted(role, this.settings.name()));
	}

	void start() {
		Heartbeat beat = new Heartbeat(this.worker, this.parts.workers(), this.lanes::areIdle, this.fetcher);
		this.parts.signals().subscribe(this.fetcher);
		this.settlerThread.start();
		this.fetcherThread.start();
		repeat(beat, this.settings.heartbeatInterval());
		repeat(this::giveBackOverdue, HeldJob.FRESH.dividedBy(2));
		logger.info("Worker {} ({}) serves {}", this.worker.name(), this.worker.id(), this.lanes.queues());
	}

	private void repeat(Runnable task, Duration interval) {
		ScheduledFuture<?> unused = this.schedule.scheduleAtFixedRate(task, 0, interval.toMillis(),
				TimeUnit.MILLISECONDS);
	}

	@Override
	public HandlerRun begin(ClaimedJob job) {
		return new HandlerRun(job, this.settler);
	}

	@Override
	public Outcome run(HeldJob held) {
		return isOurs(held) ? this.runner.run(held.job()) : released(held.job());
	}

	/**
	 * The run time of a job begins with its handler, not in our hands.
	 */
	private boolean isOurs(HeldJob held) {
		ClaimedJob job = held.job();
		try {
			return held.isFresh() || this.parts.jobs().renew(this.worker.id(), job, job.maxRunTime());
		}
		catch (Throwable ex) {
			logger.warn("The lease of {} could not be renewed; it is given back", new Attempt(job), ex);
			return false;
		}
	}

	/**
	 * The fetcher looks more often whether jobs wait in vain, but it may be waiting for
	 * the database itself.
	 */
	private void giveBackOverdue() {
		this.lanes.employMore();
		this.lanes.all().forEach((lane) -> giveBack(lane.partWith(HeldJob.FRESH)));
	}

	@Override
	public void giveBack(List<ClaimedJob> jobs) {
		jobs.forEach((job) -> this.settler.submit(job, released(job)));
	}

	private static Released released(ClaimedJob job) {
		return new Released(job.id(), job.claim());
	}

	@Override
	public void roomFor(Lane lane) {
		this.fetcher.wake();
	}

	/**
	 * Claim nothing more, let handlers finish, then interrupt them and give back what is
	 * left.
	 */
	void stop() throws InterruptedException {
		try {
			drain();
		}
		finally {
			end();
		}
	}

	private void drain() throws InterruptedException {
		giveUpIn(this.settings.shutdownTimeout().plus(AFTER_INTERRUPT).plus(LAST_WRITES));
		this.parts.signals().unsubscribe(this.fetcher);
		this.fetcher.close();
		this.fetcherThread.join(LAST_CLAIM.toMillis());
		this.lanes.all().forEach((lane) -> giveBack(lane.close()));
		if (!this.lanes.awaitIdle(this.settings.shutdownTimeout())) {
			interrupt();
		}
	}

	/**
	 * Without a database there is nobody to hand the last outcomes to.
	 */
	private void giveUpIn(Duration time) {
		ScheduledFuture<?> unused = this.schedule.schedule(this.settler::giveUp, time.toMillis(),
				TimeUnit.MILLISECONDS);
	}

	private void end() throws InterruptedException {
		this.settler.close();
		try {
			this.settlerThread.join(LAST_WRITES.toMillis());
		}
		finally {
			this.settler.giveUp();
			this.schedule.shutdownNow();
			checkOut();
		}
	}

	private void interrupt() throws InterruptedException {
		logger.warn("Handlers of worker {} still run after {} and are interrupted", this.worker.name(),
				this.settings.shutdownTimeout());
		this.lanes.runs().forEach(HandlerRun::interrupt);
		if (!this.lanes.awaitIdle(AFTER_INTERRUPT)) {
			Collection<HandlerRun> deaf = this.lanes.runs();
			logger.warn("{} handlers do not end when interrupted; their jobs are given back", deaf.size());
			deaf.forEach(HandlerRun::abandon);
		}
	}

	private void checkOut() {
		try {
			this.parts.workers().checkOut(this.worker.id());
			logger.info("Worker {} ({}) has stopped", this.worker.name(), this.worker.id());
		}
		catch (RuntimeException ex) {
			logger.warn("Worker {} could not check out; others will take it for dead after {}", this.worker.name(),
					this.worker.timeout(), ex);
		}
	}

}
