package io.jobqueue.internal.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataIntegrityViolationException;

import io.jobqueue.internal.concurrent.NamedThreads;
import io.jobqueue.internal.logging.FailureLog;
import io.jobqueue.internal.logging.LogText;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.FailureText;
import io.jobqueue.internal.store.Notice;
import io.jobqueue.internal.store.Notice.TickDue;
import io.jobqueue.internal.store.OperationStore;
import io.jobqueue.internal.store.RecurringStore;
import io.jobqueue.internal.store.RecurringStore.DueSchedule;
import io.jobqueue.internal.store.RecurringStore.Scan;
import io.jobqueue.internal.store.RecurringStore.Tick;
import io.jobqueue.internal.store.RecurringStore.TickResult;
import io.jobqueue.internal.store.RecurringStore.TickedJob;
import io.jobqueue.internal.store.WorkerStore.CheckInResult;
import io.jobqueue.internal.store.WorkerStore.Ticks;
import io.jobqueue.internal.worker.Ticker;

/**
 * Ticks the schedules that this node declares and those that were saved at run time, on a
 * thread of its own, while a worker runs. Between ticks it sends no statement: heartbeats
 * and notices carry the time of the next tick. Several nodes may scan at the same time; a
 * tick is written only on the version of its schedule that was read.
 */
public final class RecurringTicker implements Ticker, JobSignals.Listener {

	private static final Logger logger = LoggerFactory.getLogger(RecurringTicker.class);

	private static final Duration LAST_TICK = Duration.ofSeconds(2);

	/**
	 * A statement that enqueues more jobs than this, for ticks missed in an outage, could
	 * exceed the statement timeout of the application.
	 */
	private static final int MAX_JOBS = 1_000;

	private final RecurringStore store;

	private final OperationStore operations;

	private final DeclaredSchedules declared;

	private final TickWriter writer;

	private final JobSignals signals;

	private final List<TickListener> listeners;

	private final TickSweep sweep;

	private final TickTimer timer = new TickTimer();

	private final FailureLog failures = FailureLog.of(logger, "Enqueueing the jobs of schedules");

	private final Set<String> left = ConcurrentHashMap.newKeySet();

	private final Set<String> invalid = ConcurrentHashMap.newKeySet();

	private volatile @Nullable Thread thread;

	private volatile List<String> unstored = List.of();

	/**
	 * Create a ticker.
	 * @param store the store of schedules
	 * @param operations reschedules jobs
	 * @param declared the schedules that this node declares
	 * @param writer writes ticks
	 * @param signals publishes wake-ups
	 * @param listeners measure ticks
	 */
	public RecurringTicker(RecurringStore store, OperationStore operations, DeclaredSchedules declared,
			TickWriter writer, JobSignals signals, List<TickListener> listeners) {
		this.store = store;
		this.operations = operations;
		this.declared = declared;
		this.writer = writer;
		this.signals = signals;
		this.listeners = listeners;
		this.sweep = new TickSweep(store, signals);
	}

	@Override
	public Ticks ticks() {
		return new Ticks(this.declared.names(), this.timer.lookFrom());
	}

	/**
	 * Store the declared schedules, and tick from now on. A schedule that another
	 * transaction has locked is stored on the ticker's thread when that has ended, and
	 * delays this call by 1 s at most. A failure is logged and tried again, before any
	 * tick.
	 */
	@Override
	public void start(String node) {
		this.unstored = List.copyOf(this.declared.names());
		tryTo(this::store);
		Thread started = NamedThreads.of(node, "recurring").newThread(this::run);
		this.thread = started;
		this.signals.subscribe(this);
		started.start();
	}

	/**
	 * Start no further tick, and wait up to 2 seconds for a running one.
	 */
	@Override
	public void stop() throws InterruptedException {
		this.signals.unsubscribe(this);
		Thread stopped = this.thread;
		this.thread = null;
		this.timer.wake();
		if (stopped != null) {
			stopped.join(LAST_TICK.toMillis());
		}
		this.timer.reset();
	}

	@Override
	public void checkedIn(CheckInResult checkIn) {
		this.timer.rank(checkIn.rank());
		this.timer.lookedAt(checkIn.at());
		if (checkIn.nextTickAt() != null) {
			this.timer.expect(Duration.between(checkIn.at(), checkIn.nextTickAt()), checkIn.nextTickAt());
		}
	}

	@Override
	public void onNotice(Notice notice) {
		if (notice instanceof TickDue tick) {
			this.timer.expect(tick.in(), null);
		}
	}

	/**
	 * Return how late the next tick is, also while the database cannot be reached.
	 * @return the time since the tick was due, zero if none is due
	 */
	public Duration lateness() {
		return this.timer.lateness();
	}

	private void run() {
		try {
			while (Thread.currentThread() == this.thread) {
				if (this.timer.await()) {
					tryTo(this::tick);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * No error may end the thread, as no other thread replaces it.
	 */
	private void tryTo(Runnable step) {
		try {
			step.run();
			this.failures.succeeded();
		}
		catch (Throwable ex) {
			this.left.clear();
			this.timer.retry(this.failures.failed(ex));
		}
	}

	private void store() {
		this.unstored = this.declared.store(this.unstored);
		if (!this.unstored.isEmpty()) {
			this.timer.retryLocked();
		}
	}

	/**
	 * Store the declared schedules, on the calling thread.
	 */
	public void storeDeclared() {
		this.declared.store(this.declared.names());
	}

	/**
	 * Tick a schedule if it is due, on the calling thread.
	 * @param name its name
	 */
	public void tickDue(String name) {
		tick(this.store.read(name));
		this.left.clear();
	}

	/**
	 * Tick the schedules that are due, on the calling thread. Schedules that another
	 * transaction has locked stay due.
	 * @param beforeScan runs before each scan for due schedules
	 * @return the last scan, which found no other due schedule
	 */
	public Scan tickDue(Runnable beforeScan) {
		Scan found;
		do {
			beforeScan.run();
			found = this.store.scan(this.declared.names(), null, this.left);
			tick(found);
		}
		while (!found.due().isEmpty());
		this.left.clear();
		return found;
	}

	private void tick() {
		store();
		Scan found = this.store.scan(this.declared.names(), this.timer.begin(), this.left);
		scanned(found, found.due().isEmpty() ? found.nextAt() : earlier(found.nextAt(), tick(found)));
		if (this.timer.beginSweep()) {
			this.sweep.run(this.declared.names());
		}
	}

	/**
	 * Schedules that could not be ticked are left out of the scans that follow at once,
	 * so that they do not take the places of others.
	 */
	private void scanned(Scan found, @Nullable Instant nextAt) {
		if (found.more()) {
			this.timer.retry(Duration.ZERO);
		}
		else {
			this.timer.scanned(found.at(), nextAt, this.left.isEmpty() && this.unstored.isEmpty());
			this.left.clear();
		}
	}

	private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
		if (one == null || other == null) {
			return (one != null) ? one : other;
		}
		return one.isBefore(other) ? one : other;
	}

	/**
	 * @return the earliest next tick of the schedules that were ticked
	 */
	private @Nullable Instant tick(Scan found) {
		List<PlannedTick> planned = new ArrayList<>();
		Instant nextAt = null;
		int jobs = 0;
		for (DueSchedule schedule : found.due()) {
			PlannedTick each = plan(schedule, found.at());
			if (each == null) {
				continue;
			}
			if (jobs > 0 && jobs + each.plan().jobs().size() > MAX_JOBS) {
				nextAt = earlier(nextAt, write(planned));
				planned.clear();
				jobs = 0;
			}
			planned.add(each);
			jobs += each.plan().jobs().size();
		}
		return planned.isEmpty() ? nextAt : earlier(nextAt, write(planned));
	}

	/**
	 * A row that was edited by hand must not stop the other schedules.
	 */
	private @Nullable PlannedTick plan(DueSchedule schedule, Instant now) {
		try {
			TickPlan plan = TickPlan.of(schedule, now);
			return new PlannedTick(schedule, plan, tick(schedule, plan));
		}
		catch (RuntimeException ex) {
			leave(schedule, ex);
			return null;
		}
	}

	private void leave(DueSchedule schedule, RuntimeException failure) {
		this.left.add(schedule.name());
		if (this.invalid.add(schedule.name())) {
			logger.error("Schedule {} has no ticks until it is saved again, as its row is invalid: {}", schedule.name(),
					FailureText.of(failure));
		}
	}

	/**
	 * A row whose job the database rejects must not stop the others either.
	 */
	private @Nullable Instant write(List<PlannedTick> planned) {
		try {
			return writeTogether(planned);
		}
		catch (DataIntegrityViolationException ex) {
			if (planned.size() > 1) {
				return planned.stream().map(List::of).map(this::write).reduce(null, RecurringTicker::earlier);
			}
			leave(planned.get(0).schedule(), ex);
			return null;
		}
	}

	private @Nullable Instant writeTogether(List<PlannedTick> planned) {
		Map<DueSchedule, Tick> ticks = new LinkedHashMap<>();
		planned.forEach((each) -> ticks.put(each.schedule(), each.tick()));
		TickResult result = this.writer.write(ticks);
		Map<DueSchedule, TickPlan> written = new LinkedHashMap<>();
		for (PlannedTick each : planned) {
			if (result.names().contains(each.schedule().name())) {
				written.put(each.schedule(), each.plan());
			}
			else {
				this.left.add(each.schedule().name());
			}
		}
		advanceRetries(written, result.at());
		written.forEach((schedule, plan) -> report(schedule, plan, result.at()));
		return written.values().stream().map(TickPlan::nextAt).reduce(null, RecurringTicker::earlier);
	}

	private Tick tick(DueSchedule schedule, TickPlan plan) {
		List<TickedJob> jobs = plan.jobs().stream().map((at) -> job(schedule, at)).toList();
		return new Tick(schedule.name(), schedule.version(), plan.nextAt(), plan.skipped(), plan.missed(), jobs);
	}

	private TickedJob job(DueSchedule schedule, Instant tick) {
		long jitter = schedule.jitter().toMillis();
		Instant runAt = (jitter > 0) ? tick.plusMillis(ThreadLocalRandom.current().nextLong(jitter + 1)) : tick;
		return this.writer.job(schedule, tick, runAt);
	}

	private void advanceRetries(Map<DueSchedule, TickPlan> plans, Instant now) {
		List<UUID> jobs = plans.entrySet()
			.stream()
			.filter((each) -> each.getValue().retry())
			.map((each) -> each.getKey().liveJob())
			.toList();
		if (!jobs.isEmpty()) {
			this.signals.publish(this.operations.reschedule(jobs, now).available());
		}
	}

	private void report(DueSchedule schedule, TickPlan plan, Instant at) {
		if (plan.skipped() > 0) {
			logger.info("Schedule {} skipped {}: its last job {} is still live", schedule.name(),
					LogText.counted(plan.skipped(), "tick"), schedule.liveJob());
		}
		if (plan.missed() > 0) {
			logger.warn("Schedule {} missed {} since {} that will not run (misfire {})", schedule.name(),
					LogText.counted(plan.missed(), "tick"), schedule.dueAt(), schedule.misfire());
		}
		for (TickListener listener : this.listeners) {
			listener.left(plan.skipped(), plan.missed());
			if (!plan.jobs().isEmpty()) {
				listener.ticked(Duration.between(plan.jobs().get(0), at));
			}
		}
	}

	/**
	 * The due ticks of a schedule.
	 */
	private record PlannedTick(DueSchedule schedule, TickPlan plan, Tick tick) {
	}

}
