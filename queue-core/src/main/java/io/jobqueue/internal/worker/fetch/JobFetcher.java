package io.jobqueue.internal.worker.fetch;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.concurrent.WakeableSleep;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.DueJob;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.JobStore.AdmissionResult;
import io.jobqueue.internal.store.JobStore.NewJobRequest;
import io.jobqueue.internal.store.JobStore.TierBacklog;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.WorkerStore.CheckInResult;
import io.jobqueue.internal.worker.completion.ClaimLedger;
import io.jobqueue.internal.worker.completion.ClaimLedger.UnconfirmedClaim;
import io.jobqueue.internal.worker.completion.JobLogger;
import io.jobqueue.internal.worker.execution.JobSink;
import io.jobqueue.internal.worker.execution.JobSink.Capacity;

/**
 * Claims jobs for a {@link JobSink} in steps. The next step follows at once while there
 * are more jobs, otherwise after a signal, on free capacity, at the next run-at or at the
 * next poll. {@link #step} and {@link #sleep} are called by one thread at a time; all
 * other methods are safe for use by several threads.
 */
public final class JobFetcher implements JobSignals.Listener {

	private final UUID worker;

	private final JobStore store;

	private final JobSignals signals;

	private final JobSink sink;

	private final ClaimRequests requests;

	private final ClaimLedger claims;

	private final PollSchedule schedule;

	private final SharedBacklog backlog;

	private final ClaimCursors cursors;

	private final DirectClaims directClaims;

	private final QueueOutages outages = new QueueOutages();

	private final WakeableSleep sleep = new WakeableSleep();

	private final JobLogger jobLogger;

	private final Serving serving;

	private volatile @Nullable Instant lastPoll;

	/**
	 * Create a fetcher.
	 * @param worker the id of the worker
	 * @param store the store of jobs
	 * @param signals publishes wake-ups
	 * @param sink receives the jobs
	 * @param requests creates the requests for claims
	 * @param claims records the claims
	 * @param schedule schedules polls, and claims without a signal
	 * @param jobLogger logs and measures claims
	 * @param serving updates what is served, also right before claims
	 */
	public JobFetcher(UUID worker, JobStore store, JobSignals signals, JobSink sink, ClaimRequests requests,
			ClaimLedger claims, PollSchedule schedule, JobLogger jobLogger, Serving serving) {
		this.worker = worker;
		this.store = store;
		this.signals = signals;
		this.sink = sink;
		this.requests = requests;
		this.claims = claims;
		this.schedule = schedule;
		this.jobLogger = jobLogger;
		this.serving = serving;
		this.backlog = new SharedBacklog(signals);
		this.cursors = new ClaimCursors(requests::isServed);
		this.directClaims = new DirectClaims(this, sink, requests, signals);
	}

	/**
	 * Return the time since the first failure of each queue whose claims fail although
	 * the database answers.
	 * @return the times by queue
	 */
	public Map<String, Duration> failing() {
		return this.outages.durations();
	}

	/**
	 * Return when the last poll ended.
	 * @return the time by the clock of this JVM, {@code null} if there was no poll
	 */
	public @Nullable Instant lastPoll() {
		return this.lastPoll;
	}

	/**
	 * Claim as many jobs as the sink can accept, after a poll if one is due.
	 * @return the time to sleep until the next step
	 */
	public Duration step() {
		if (this.serving.isOutdated(false)) {
			updateServing();
		}
		if (this.schedule.isPollDue()) {
			poll();
		}
		else if (this.schedule.takeDueClaim()) {
			this.sink.expectMore();
		}
		if (!this.cursors.isEmpty() && this.serving.isOutdated(true)) {
			updateServing();
			return step();
		}
		boolean more = claim();
		this.backlog.shareRest();
		return more ? Duration.ZERO : this.sink.limit(this.schedule.remaining());
	}

	private boolean claim() {
		boolean more = false;
		try {
			for (Map<String, Capacity> capacities : this.sink.reserve(this::isPermitted)) {
				more |= new ClaimRound(capacities).run();
			}
		}
		finally {
			this.sink.claimsEnded();
		}
		return more;
	}

	/**
	 * Search for jobs, unless heartbeats replace that.
	 */
	private void poll() {
		releaseInDoubt();
		this.schedule.begin();
		if (this.schedule.replace(this.signals.tables())) {
			this.schedule.polled(false, Duration.ZERO);
		}
		else {
			scanBacklog();
		}
		this.lastPoll = Instant.now();
	}

	/**
	 * Read the backlog of all tiers, which also finds the jobs whose signals were lost.
	 */
	private void scanBacklog() {
		long start = System.nanoTime();
		List<TierBacklog> tiers = this.store.scanBacklog(this.requests.served());
		this.cursors.reset(tiers);
		boolean found = false;
		for (TierBacklog tier : tiers) {
			found |= expect(tier);
		}
		this.schedule.polled(found, Duration.ofNanos(System.nanoTime() - start));
		if (this.sink.sharesBacklog()) {
			this.backlog.found(tiers);
		}
	}

	/**
	 * Return whether a job of the tier, or an admission, is due.
	 */
	private boolean expect(TierBacklog found) {
		if (found.admitIn() != null) {
			this.schedule.admitWithin(found.tier().queue(), found.admitIn());
		}
		expect(found.tier(), found.dueIn());
		expect(found.tier(), found.admitIn());
		return isDue(found.dueIn()) || isDue(found.admitIn());
	}

	/**
	 * An earlier claim may have replaced the one that was scheduled when the queue
	 * failed.
	 */
	private boolean isPermitted(String queue) {
		Duration pause = this.outages.untilPermitted(queue);
		if (!pause.isZero()) {
			this.schedule.claimWithin(pause);
		}
		return pause.isZero();
	}

	/**
	 * The cursors may have passed jobs of types that are served from now on; only a scan
	 * finds them.
	 */
	private void updateServing() {
		this.serving.update();
		this.schedule.follow(PollSchedule.Turn.ALONE);
		this.schedule.pollNow();
	}

	/**
	 * Admit jobs with keys for the next claim, and publish them to other workers.
	 * @return {@code true} if more jobs can be admitted at once
	 */
	private boolean admit(String queue) {
		if (!this.schedule.takeDueAdmission(queue)) {
			return false;
		}
		AdmissionResult admission = this.store.admit(queue, this.requests.keyRules(queue));
		if (admission.nextDueIn() != null) {
			this.schedule.admitWithin(queue, admission.nextDueIn());
		}
		admission.admitted().forEach(this.cursors::lower);
		this.signals.publish(admission.admitted(), this);
		expect(new Tier(queue, Capacity.ANY_PRIORITY), admission.nextDueIn());
		return isDue(admission.nextDueIn());
	}

	/**
	 * Claim jobs and pass them to the sink.
	 * @param accepted called as soon as the sink has accepted or refused the jobs, even
	 * if this throws later; a sink refuses them only while its worker stops
	 */
	private ClaimResult claim(ClaimRequest full, Consumer<ClaimResult> accepted) {
		ClaimRequest request = this.outages.withinMemory(this.sink.withinBytes(full));
		boolean withheldBefore = this.sink.isWithholding(request.queue());
		long since = System.nanoTime();
		ClaimResult claimed = record(request.queue(), request.claim(), () -> this.store.claim(this.worker, request),
				(result) -> this.sink.take(request.queue(), result, since));
		accepted.accept(claimed);
		if (claimed.nextDueIn() != null) {
			this.schedule.claimWithin(claimed.nextDueIn());
		}
		this.cursors.raise(request, claimed);
		boolean shared = this.sink.sharesBacklog() && !withheldBefore && !claimed.withheld().isEmpty();
		if (shared) {
			this.signals.publishToOthers(claimed.withheld());
		}
		if (shared || (!claimed.mayBeMore() && claimed.at() != null)) {
			this.backlog.leaveNone(request.queue());
		}
		return claimed;
	}

	/**
	 * If anything fails before the sink has accepted the jobs, the next poll releases
	 * them. The ledger entry for that is made before the claim, as memory may be
	 * exhausted after it.
	 */
	private ClaimResult record(String queue, long number, Supplier<ClaimResult> claim,
			Predicate<ClaimResult> accepted) {
		try (UnconfirmedClaim unconfirmed = this.claims.record(number)) {
			ClaimResult claimed = this.jobLogger.claim(queue, claim);
			unconfirmed.received(claimed.jobs().size());
			if (accepted.test(claimed)) {
				unconfirmed.confirm();
			}
			return claimed;
		}
	}

	/**
	 * Claim a new job by its id, on a handler thread.
	 * @param accepted passes the job on, and returns {@code false} if it is not accepted
	 * @return {@code false} if the step of another thread is to change what is served
	 * first
	 */
	boolean claimNew(DueJob job, Predicate<ClaimResult> accepted) {
		boolean outdated = this.serving.isOutdated(true);
		if (!outdated) {
			NewJobRequest request = this.requests.ofNew(job);
			ClaimResult unused = record(job.queue(), request.claim(), () -> this.store.claimNew(this.worker, request),
					accepted);
		}
		return !outdated;
	}

	/**
	 * Release the jobs of claims that were not accepted.
	 */
	void releaseInDoubt() {
		this.claims.release(this.worker, this.store, this.signals);
	}

	@Override
	public void onWakeUps(Collection<? extends WakeUp> signals) {
		List<? extends WakeUp> relevant = signals.stream().filter(this::isRelevant).toList();
		if (!relevant.isEmpty()) {
			relevant.forEach(this::expect);
			wake();
		}
	}

	@Override
	public boolean offer(DueJob job) {
		return this.outages.untilPermitted(job.queue()).isZero() && this.directClaims.offer(job);
	}

	/**
	 * Signal the jobs that handler threads have been claiming for long.
	 */
	public void signalSlowClaims() {
		this.directClaims.signalSlow();
	}

	/**
	 * Begin no further claims on handler threads.
	 * @return a stage that completes when the last of them has ended
	 */
	public CompletableFuture<Void> closeDirectClaims() {
		return this.directClaims.close();
	}

	private boolean isRelevant(WakeUp signal) {
		return (signal instanceof JobsAvailable available) ? this.cursors.lower(available)
				: this.requests.isServed(signal.queue());
	}

	@Override
	public void onLostSignals() {
		this.schedule.pollSoon();
		wake();
	}

	private void expect(WakeUp signal) {
		if (!(signal instanceof JobsAvailable available)) {
			this.sink.expect(new Tier(signal.queue(), Capacity.ANY_PRIORITY));
			return;
		}
		if (available.pendingAdmission()) {
			this.schedule.admitWithin(available.queue(), available.dueIn());
		}
		expect(available.tier(), available.dueIn());
	}

	private void expect(Tier tier, @Nullable Duration dueIn) {
		if (isDue(dueIn)) {
			this.sink.expect(tier);
		}
		else if (dueIn != null) {
			this.schedule.claimWithin(dueIn);
		}
	}

	private static boolean isDue(@Nullable Duration dueIn) {
		return dueIn != null && dueIn.isZero();
	}

	/**
	 * Poll in the turn that a heartbeat has assigned, from now on.
	 * @param checkIn the answer to the heartbeat
	 */
	public void follow(CheckInResult checkIn) {
		this.schedule.follow(PollSchedule.Turn.of(checkIn));
		wake();
	}

	/**
	 * Return whether polls find nothing and become rare.
	 * @return {@code true} if jobs are found by their signals only
	 */
	public boolean isCalm() {
		return this.schedule.isCalm();
	}

	/**
	 * Poll at once.
	 */
	public void pollNow() {
		pollInNextStep();
		wake();
	}

	/**
	 * Poll in the next step. This does not end a sleep.
	 */
	public void pollInNextStep() {
		this.schedule.pollNow();
	}

	/**
	 * End the current sleep, or the next one at its start.
	 */
	public void wake() {
		this.sleep.wake();
	}

	/**
	 * Sleep until {@link #wake} is called, at most for the given time.
	 * @param atMost the longest time to sleep
	 * @throws InterruptedException if the thread is interrupted
	 */
	public void sleep(Duration atMost) throws InterruptedException {
		this.sleep.sleep(atMost);
	}

	/**
	 * Return the time until the next poll or scheduled claim.
	 * @return the time
	 */
	public Duration remaining() {
		return this.schedule.remaining();
	}

	/**
	 * Claims from queues that share their capacity, up to the first claim that returns
	 * jobs. If one queue fails although there is a connection, the others are still
	 * claimed from.
	 */
	private final class ClaimRound {

		private final Map<String, Capacity> open;

		private boolean more;

		private boolean full;

		ClaimRound(Map<String, Capacity> capacities) {
			this.open = new LinkedHashMap<>(capacities);
		}

		/**
		 * Admit jobs and claim.
		 * @return {@code true} if there may be more jobs to claim at once
		 */
		boolean run() {
			for (String queue : List.copyOf(this.open.keySet())) {
				attempt(queue, () -> this.more |= admit(queue));
			}
			for (ClaimRequest request : JobFetcher.this.requests.of(this.open, JobFetcher.this.cursors)) {
				claim(request);
			}
			if (!this.full) {
				this.open.keySet().forEach(JobFetcher.this.outages::over);
			}
			return this.more;
		}

		private void claim(ClaimRequest request) {
			if (!this.full && this.open.containsKey(request.queue())) {
				attempt(request.queue(),
						() -> note(request.queue(), JobFetcher.this.claim(request, this::noteAccepted)));
			}
		}

		private void noteAccepted(ClaimResult claimed) {
			this.full = !claimed.jobs().isEmpty();
		}

		private void note(String queue, ClaimResult claimed) {
			JobFetcher.this.outages.over(queue);
			if (claimed.mayBeMore()) {
				JobFetcher.this.outages.fullClaimSucceeded(queue);
				this.more = true;
			}
		}

		private void attempt(String queue, Runnable work) {
			try {
				work.run();
			}
			catch (RuntimeException | Error ex) {
				if (QueueOutages.concernsAll(ex)) {
					throw ex;
				}
				this.open.remove(queue);
				JobFetcher.this.schedule.claimWithin(JobFetcher.this.outages.failed(queue, ex));
				JobFetcher.this.schedule.pollNow();
				JobFetcher.this.sink.failed(ex);
			}
		}

	}

	/**
	 * Keeps what is served up to date with the handlers and the pauses.
	 */
	@FunctionalInterface
	public interface Serving {

		/**
		 * Return whether other queues or types are to be served than at present. Safe for
		 * use by several threads.
		 * @param claiming whether a claim may follow
		 * @return {@code true} if others are to be served
		 */
		boolean isOutdated(boolean claiming);

		/**
		 * Serve the queues and types that are to be served, from the next claim on. If
		 * this throws, the next step repeats it. Does nothing by default.
		 */
		default void update() {
		}

	}

}
