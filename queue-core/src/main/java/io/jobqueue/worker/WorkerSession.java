package io.jobqueue.worker;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.context.JobMdc;
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

	private final UUID id = UUID.randomUUID();

	private final WorkerParts parts;

	private final WorkerSettings settings;

	private final Probes probes;

	private final JobMdc mdc;

	private final JobSteps steps;

	private final Demands demands;

	private final Lanes lanes;

	private final Settler settler;

	private final Fetcher fetcher;

	private final Leases leases;

	private final Outcomes outcomes;

	private final JobRunner runner;

	private final Heartbeat heartbeat;

	private final CancelRequests cancels;

	private final Watch watch;

	private final Drain drain;

	private final Schedule schedule;

	private final Thread fetcherThread;

	private final Thread settlerThread;

	private volatile boolean interrupting;

	WorkerSession(WorkerParts parts, WorkerSettings settings, Function<String, QueueSettings> queues,
			ServedTypes types) {
		this.parts = parts;
		this.settings = settings;
		this.probes = new Probes(queues);
		this.mdc = new JobMdc(settings.name());
		this.steps = new JobSteps(this.mdc);
		OpenClaims claims = new OpenClaims();
		Tally tally = new Tally();
		this.settler = new Settler(new OutcomeWriter(this.id, parts.jobs(), claims, this.probes, this.mdc,
				listeners(tally, new FreedSlots(parts.signals(), queues))), this.mdc);
		this.leases = new Leases(this.id, parts.jobs(), parts.transactionManager());
		this.outcomes = new Outcomes(queues);
		this.runner = new JobRunner(parts.handlers(),
				new HandlerTransactions(this.id, parts.jobs(), parts.signals(), parts.transactionManager()),
				this.outcomes);
		this.lanes = new Lanes((queue) -> lane(queue, queues.apply(queue)));
		this.lanes.serve(types.queues());
		this.demands = new Demands(types, queues, settings);
		this.fetcher = new Fetcher(this.id, parts.jobs(), parts.signals(), this.lanes, this.demands, claims,
				new UnseenClaims(settings.timeout()),
				new PollSchedule(settings.pollInterval(), settings.maxPollInterval(), parts.wakeUpWorks()), this.steps);
		this.cancels = new CancelRequests(this.lanes, settings.cancelGrace());
		this.heartbeat = new Heartbeat(worker(types), parts.workers(), this.lanes::areIdle, this.fetcher, this.cancels);
		this.watch = new Watch(this.lanes, this.runner, queues, WorkerThreads.daemons("judge", settings), this.mdc);
		this.drain = new Drain(this.fetcher, this.lanes, claims, () -> parts.jobs().survey(this.demands.served()),
				tally);
		this.schedule = new Schedule(5, WorkerThreads.of("heartbeat", settings));
		this.fetcherThread = WorkerThreads.of("fetcher", settings).newThread(this.fetcher);
		this.settlerThread = WorkerThreads.of("settler", settings).newThread(this.settler);
	}

	private List<SettledListener> listeners(Tally tally, FreedSlots slots) {
		return List.of(tally, (settled, written) -> this.parts.signals().publish(written.arrivals()), this.steps,
				(settled, written) -> slots.tell(settled), new SettledEvents(this.parts.events()));
	}

	/**
	 * What is claimed in advance would take up what all workers share.
	 */
	private Lane lane(String queue, QueueSettings own) {
		RunTimes runTimes = new RunTimes(own.limits().isNone() ? RunTimes.MAX_PREFETCH : 0);
		return new Lane(queue, own.concurrency(), runTimes, HandlerThreads.of(queue, this.settings), this);
	}

	Drain drain() {
		return this.drain;
	}

	private Worker worker(ServedTypes types) {
		return new Worker(this.id, this.settings.name(), types.queues(), types.service(this.settings),
				this.settings.timeout());
	}

	void start() {
		this.parts.signals().subscribe(this.fetcher);
		this.parts.signals().onCancelRequest(this.cancels::add);
		this.settlerThread.start();
		this.fetcherThread.start();
		this.schedule.repeat(this.heartbeat, this.settings.heartbeatInterval());
		this.schedule.repeat(this.watch, Watch.INTERVAL);
		this.schedule.repeat(new ProgressReports(this.id, this.parts.jobs(), this.lanes), ProgressReports.INTERVAL);
		this.schedule.repeat(this::giveBackOverdue, HeldJob.FRESH.dividedBy(2));
		this.schedule.once(() -> this.probes.end(this.lanes.queues(), this.parts), Duration.ZERO);
		logger.info("Worker {} ({}) serves {}", this.settings.name(), this.id, this.lanes.queues());
	}

	/**
	 * Serve other types from the next claim on. Claims rely on what the database knows of
	 * the worker that made them, so it is told before.
	 */
	void serve(ServedTypes types) {
		this.fetcher.change(() -> {
			this.heartbeat.changeTo(worker(types));
			this.lanes.serve(types.queues());
			this.demands.serve(types);
			logger.info("Worker {} ({}) now serves {}", this.settings.name(), this.id, types.queues());
		});
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
		this.steps.begins(run.job());
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

	/**
	 * Without a database there is nobody to hand the last outcomes to.
	 */
	private void letFinish() throws InterruptedException {
		logger.info("Worker {} stops; its {} running handlers have {} to end", this.settings.name(),
				this.lanes.runs().size(), shutdownTimeout());
		this.schedule.once(this.settler::giveUp, shutdownTimeout().plus(AFTER_INTERRUPT).plus(LAST_WRITES));
		this.parts.signals().unsubscribe(this.fetcher);
		this.fetcher.close();
		giveBack(this.lanes.close());
		this.fetcherThread.join(LAST_CLAIM.toMillis());
		if (!this.lanes.awaitIdle(shutdownTimeout())) {
			logger.warn("Handlers of worker {} still run after {} and are interrupted", this.settings.name(),
					shutdownTimeout());
		}
	}

	private Duration shutdownTimeout() {
		return this.settings.releaseOnStop() ? Duration.ZERO : this.settings.shutdownTimeout();
	}

	private void end() throws InterruptedException {
		this.settler.close();
		try {
			this.settlerThread.join(LAST_WRITES.toMillis());
		}
		finally {
			this.settler.giveUp();
			this.schedule.end();
			leave();
		}
	}

	/**
	 * A heartbeat that is under way would check in again.
	 */
	private void leave() throws InterruptedException {
		try {
			if (!this.schedule.awaitEnd(LAST_WRITES)) {
				logger.warn("A task of worker {} does not end", this.settings.name());
			}
		}
		finally {
			checkOut();
		}
	}

	private void releaseRunning() throws InterruptedException {
		this.interrupting = true;
		giveBack(this.lanes.close());
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
			this.parts.workers().checkOut(this.id);
			logger.info("Worker {} ({}) has stopped", this.settings.name(), this.id);
		}
		catch (RuntimeException ex) {
			logger.warn("Worker {} could not check out; others will take it for dead after {}", this.settings.name(),
					this.settings.timeout(), ex);
		}
	}

}
