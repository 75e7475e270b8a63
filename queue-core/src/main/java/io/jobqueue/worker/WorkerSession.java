package io.jobqueue.worker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.Delivery;
import io.jobqueue.context.JobMdc;
import io.jobqueue.handler.JobHandlers;
import io.jobqueue.store.ClaimedJob;
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

	private final JobMdc mdc;

	private final Lanes lanes;

	private final Settler settler;

	private final Fetcher fetcher;

	private final Leases leases;

	private final Outcomes outcomes;

	private final JobRunner runner;

	private final CancelRequests cancels;

	private final Watch watch;

	private final Drain drain;

	private final ScheduledExecutorService schedule;

	private final Thread fetcherThread;

	private final Thread settlerThread;

	private volatile boolean interrupting;

	WorkerSession(WorkerParts parts, WorkerSettings settings, Function<String, QueueSettings> queues,
			Map<String, Set<String>> types) {
		UUID id = UUID.randomUUID();
		this.worker = new Worker(id, settings.name(), types.keySet(), Services.id(types, settings), settings.timeout());
		this.parts = parts;
		this.settings = settings;
		this.mdc = new JobMdc(settings.name());
		OpenClaims claims = new OpenClaims();
		this.settler = new Settler(id, parts.jobs(), claims, parts.signals(), new SettledEvents(parts.events()),
				this.mdc);
		this.leases = new Leases(id, parts.jobs(), parts.transactionManager());
		this.outcomes = new Outcomes(queues);
		this.runner = new JobRunner(parts.handlers(),
				new HandlerTransactions(id, parts.jobs(), parts.signals(), parts.transactionManager()), this.outcomes);
		this.lanes = new Lanes(types.keySet().stream().map((queue) -> {
			int concurrency = queues.apply(queue).concurrency();
			return new Lane(queue, concurrency, HandlerThreads.of(queue, settings), this);
		}).toList());
		Demands demands = new Demands(types, onceTypes(parts.handlers(), types.keySet()), queues, settings);
		this.fetcher = new Fetcher(id, parts.jobs(), parts.signals(), this.lanes, demands, claims,
				new UnseenClaims(settings.timeout()),
				new PollSchedule(settings.pollInterval(), settings.maxPollInterval(), parts.wakeUpWorks()));
		this.cancels = new CancelRequests(this.lanes, settings.cancelGrace());
		this.watch = new Watch(this.lanes, this.runner, queues, WorkerThreads.daemons("judge", settings), this.mdc);
		this.drain = new Drain(this.fetcher, claims, () -> parts.jobs().survey(demands.served()), this.settler.tally());
		this.schedule = Executors.newScheduledThreadPool(5, WorkerThreads.of("heartbeat", settings));
		this.fetcherThread = WorkerThreads.of("fetcher", settings).newThread(this.fetcher);
		this.settlerThread = WorkerThreads.of("settler", settings).newThread(this.settler);
	}

	private static Map<String, Set<String>> onceTypes(JobHandlers handlers, Set<String> queues) {
		return queues.stream()
			.collect(Collectors.toMap(Function.identity(), (queue) -> handlers.types(queue, Delivery.AT_MOST_ONCE)));
	}

	Drain drain() {
		return this.drain;
	}

	void start() {
		Heartbeat beat = new Heartbeat(this.worker, this.parts.workers(), this.lanes::areIdle, this.fetcher,
				this.cancels);
		this.parts.signals().subscribe(this.fetcher);
		this.parts.signals().onCancelRequest(this.cancels::add);
		this.settlerThread.start();
		this.fetcherThread.start();
		repeat(beat, this.settings.heartbeatInterval());
		repeat(this.watch, Watch.INTERVAL);
		repeat(new ProgressReports(this.worker.id(), this.parts.jobs(), this.lanes), ProgressReports.INTERVAL);
		repeat(this::giveBackOverdue, HeldJob.FRESH.dividedBy(2));
		logger.info("Worker {} ({}) serves {}", this.worker.name(), this.worker.id(), this.lanes.queues());
	}

	private void repeat(Runnable task, Duration interval) {
		ScheduledFuture<?> unused = this.schedule.scheduleAtFixedRate(() -> doSafely(task), 0, interval.toMillis(),
				TimeUnit.MILLISECONDS);
	}

	/**
	 * What throws is not repeated.
	 */
	private static void doSafely(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) {
			logger.error("A task of the worker failed and has another turn", ex);
		}
	}

	/**
	 * A run may begin after all others were interrupted.
	 */
	@Override
	public HandlerRun begin(HeldJob held) {
		HandlerRun run = new HandlerRun(held, this.settler, this.leases);
		if (this.interrupting) {
			run.interruptForStop();
		}
		return run;
	}

	@Override
	public void run(HandlerRun run) {
		this.mdc.within(run.job(), () -> this.parts.context().within(run.job(), () -> finish(run)));
	}

	private void finish(HandlerRun run) {
		boolean begins = !this.cancels.concern(run.job()) && this.leases.begin(run);
		run.finish(begins ? this.runner.run(run.attempt()) : Ending.returned(() -> Outcomes.released(run.job())));
	}

	@Override
	public void failed(HandlerRun run, Throwable ex) {
		this.mdc.within(run.job(), () -> logger.error("{} could not be run to its end", run.job(), ex));
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
		jobs.forEach((job) -> this.settler.submit(Settled.released(job)));
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
		this.drain.stop();
		try {
			letFinish();
		}
		finally {
			try {
				releaseRunning();
			}
			finally {
				end();
			}
		}
	}

	private void letFinish() throws InterruptedException {
		logger.info("Worker {} stops; its {} running handlers have {} to end", this.worker.name(),
				this.lanes.runs().size(), shutdownTimeout());
		giveUpIn(shutdownTimeout().plus(AFTER_INTERRUPT).plus(LAST_WRITES));
		this.parts.signals().unsubscribe(this.fetcher);
		this.fetcher.close();
		closeLanes();
		this.fetcherThread.join(LAST_CLAIM.toMillis());
		if (!this.lanes.awaitIdle(shutdownTimeout())) {
			logger.warn("Handlers of worker {} still run after {} and are interrupted", this.worker.name(),
					shutdownTimeout());
		}
	}

	private void closeLanes() {
		this.lanes.all().forEach((lane) -> giveBack(lane.close()));
	}

	private Duration shutdownTimeout() {
		return this.settings.releaseOnStop() ? Duration.ZERO : this.settings.shutdownTimeout();
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
			leave();
		}
	}

	/**
	 * A heartbeat that is under way would check in again.
	 */
	private void leave() throws InterruptedException {
		try {
			if (!this.schedule.awaitTermination(LAST_WRITES.toMillis(), TimeUnit.MILLISECONDS)) {
				logger.warn("A task of worker {} does not end", this.worker.name());
			}
		}
		finally {
			checkOut();
		}
	}

	private void releaseRunning() throws InterruptedException {
		this.interrupting = true;
		closeLanes();
		this.lanes.runs().forEach(HandlerRun::interruptForStop);
		try {
			this.lanes.awaitIdle(AFTER_INTERRUPT);
		}
		finally {
			this.lanes.runs().forEach((run) -> this.mdc.within(run.job(), () -> abandon(run)));
		}
	}

	private void abandon(HandlerRun run) {
		if (run.decide()) {
			logger.warn("{} does not end when interrupted; it is given back", run.job());
			run.settle(() -> this.outcomes.abandoned(run.job()), null);
		}
	}

	private void checkOut() {
		try {
			if (!this.fetcherThread.isAlive()) {
				this.fetcher.giveBackUnseen();
			}
			this.parts.workers().checkOut(this.worker.id());
			logger.info("Worker {} ({}) has stopped", this.worker.name(), this.worker.id());
		}
		catch (RuntimeException ex) {
			logger.warn("Worker {} could not check out; others will take it for dead after {}", this.worker.name(),
					this.worker.timeout(), ex);
		}
	}

}
