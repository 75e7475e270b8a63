package io.jobqueue.internal.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.concurrent.Deadline;
import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.logging.FailureLog;
import io.jobqueue.internal.policy.WorkerSettings;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.Notice;
import io.jobqueue.internal.store.Notice.PausesChanged;
import io.jobqueue.internal.store.WorkerStore;
import io.jobqueue.internal.store.WorkerStore.CheckInResult;
import io.jobqueue.internal.store.WorkerStore.Worker;
import io.jobqueue.internal.worker.execution.CancelRequests;
import io.jobqueue.internal.worker.execution.JobExecution;
import io.jobqueue.internal.worker.fetch.JobFetcher;

/**
 * Sends the heartbeat of a worker: updates its row, and passes the poll turn, the
 * requests to cancel, the number of the latest pause and the time of the next tick to
 * their receivers. While its polls find nothing, it also searches for anything to do, in
 * place of polls, alerts and maintenance. Between heartbeats, signals report requests to
 * cancel and pauses.
 */
public final class Heartbeat implements Runnable, JobSignals.Listener {

	private static final Logger logger = LoggerFactory.getLogger(Heartbeat.class);

	/**
	 * The pause after a search, as a multiple of the time that the heartbeat took. A
	 * search reads an index entry or two of each table, but also the dead ones before it,
	 * which an open transaction may keep; it must not slow down heartbeats and signals.
	 */
	private static final int MIN_PAUSES = 40;

	/**
	 * The next heartbeats must not fail for the same reason.
	 */
	private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMinutes(1);

	private Worker worker;

	private final WorkerStore store;

	private final JobSignals signals;

	private final Activity activity;

	private final CancelRequests cancels;

	private final Pauses pauses;

	private final @Nullable Ticker ticker;

	private final FailureLog failures;

	private final SharedQueues sharedQueues;

	private final Deadline nextSearch = new Deadline();

	private boolean registered;

	/**
	 * Create a heartbeat.
	 * @param worker the worker
	 * @param services the services of the worker
	 * @param settings the settings of the worker
	 * @param activity what the worker does
	 * @param ticker receives the time of the next tick, {@code null} for a worker that
	 * ticks no schedule
	 */
	public Heartbeat(Worker worker, WorkerServices services, WorkerSettings settings, Activity activity,
			@Nullable Ticker ticker) {
		this.worker = worker;
		this.store = services.workers();
		this.signals = services.signals();
		this.activity = activity;
		this.cancels = new CancelRequests(activity.executions(), settings.cancelGrace());
		this.pauses = new Pauses(this.store, services.wakeUpWorks());
		this.ticker = ticker;
		this.failures = FailureLog.of(logger, "The heartbeat of worker " + worker.name());
		this.sharedQueues = new SharedQueues(this.store);
		this.nextSearch.reset(Duration.ZERO);
	}

	/**
	 * Return what the worker does.
	 */
	Activity activity() {
		return this.activity;
	}

	/**
	 * Return the requests to cancel jobs.
	 * @return the requests
	 */
	public CancelRequests cancels() {
		return this.cancels;
	}

	/**
	 * Return the paused queues and types.
	 * @return the pauses
	 */
	public Pauses pauses() {
		return this.pauses;
	}

	void subscribe() {
		this.signals.subscribe(this);
	}

	void unsubscribe() {
		this.signals.unsubscribe(this);
	}

	@Override
	public void onCancelRequest(UUID job) {
		this.cancels.accept(job);
	}

	@Override
	public void onNotice(Notice notice) {
		if (notice instanceof PausesChanged) {
			rereadPauses();
		}
	}

	private void rereadPauses() {
		this.pauses.invalidate();
		eachFetcher(JobFetcher::wake);
	}

	private void eachFetcher(Consumer<JobFetcher> call) {
		this.activity.fetchers().get().forEach(call);
	}

	@Override
	public synchronized void run() {
		try {
			CheckInResult checkIn = checkIn();
			this.failures.succeeded();
			pass(checkIn);
			if (!checkIn.known()) {
				registered();
			}
		}
		catch (Throwable ex) {
			searched(false, System.nanoTime());
			this.failures.failed(ex);
		}
	}

	private CheckInResult checkIn() {
		boolean free = this.activity.idle().getAsBoolean();
		if (!this.registered) {
			return this.store.register(ticking(), free);
		}
		return (free && maySearch()) ? checkInAndSearch() : this.store.checkIn(ticking(), free);
	}

	private boolean maySearch() {
		return this.nextSearch.isDue() && this.activity.fetchers().get().stream().allMatch(JobFetcher::isCalm);
	}

	private CheckInResult checkInAndSearch() {
		long begun = System.nanoTime();
		this.nextSearch.reset(PAUSE_AFTER_FAILURE);
		CheckInResult checkIn = this.store.checkInAndSearch(ticking());
		this.nextSearch.reset(Duration.ofNanos(System.nanoTime() - begun).multipliedBy(MIN_PAUSES));
		searched(checkIn.empty(), begun);
		return checkIn;
	}

	/**
	 * Once heartbeats do not find any more that there is nothing, polls search again.
	 */
	private void searched(boolean empty, long begun) {
		if (this.signals.tables().checkedIn(empty, begun)) {
			eachFetcher(JobFetcher::pollNow);
		}
	}

	private Worker ticking() {
		return this.worker.ticking((this.ticker != null) ? this.ticker.ticks() : null);
	}

	private void pass(CheckInResult checkIn) {
		eachFetcher((fetcher) -> fetcher.follow(checkIn));
		this.cancels.replace(checkIn.cancels());
		if (this.pauses.differFrom(checkIn.pauses())) {
			rereadPauses();
		}
		if (this.ticker != null) {
			this.ticker.checkedIn(checkIn);
		}
	}

	/**
	 * Update the row of the worker with what it serves. Call this before it claims
	 * accordingly, since workers that serve the same take turns at polling.
	 * @param changed the changed worker
	 */
	public synchronized void changeTo(Worker changed) {
		this.store.change(changed);
		if (!changed.limits().equals(this.worker.limits())
				|| !Set.copyOf(changed.queues()).equals(Set.copyOf(this.worker.queues()))) {
			this.sharedQueues.compare(changed);
		}
		this.worker = changed;
	}

	private void registered() {
		if (this.registered) {
			logger.warn(
					"Worker {} was unknown to the database and is registered again: it sent no heartbeat within its timeout of {}, and the jobs it had were reaped, or a crash of the server has lost its registration",
					this.worker.name(), DurationText.of(this.worker.timeout()));
		}
		this.registered = true;
		eachFetcher(JobFetcher::pollNow);
		this.sharedQueues.compare(this.worker);
	}

	/**
	 * What a worker does at present.
	 *
	 * @param executions supplies the running jobs
	 * @param fetchers supplies the fetchers
	 * @param queues supplies the names of the queues
	 * @param idle returns whether the worker has capacity in each of its queues
	 */
	public record Activity(Supplier<? extends Collection<? extends JobExecution>> executions,
			Supplier<? extends Collection<JobFetcher>> fetchers, Supplier<? extends Collection<String>> queues,
			BooleanSupplier idle) {
	}

}
