package io.jobqueue.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import io.jobqueue.concurrent.WakeableSleep;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.ClaimRequest;
import io.jobqueue.store.ClaimResult;
import io.jobqueue.store.JobStore;
import io.jobqueue.store.JobStore.AdmissionResult;
import io.jobqueue.store.JobStore.ClaimedRange;
import io.jobqueue.store.JobStore.TierBacklog;
import io.jobqueue.store.Tier;
import io.jobqueue.store.WakeUp;
import io.jobqueue.store.WakeUp.JobsAvailable;

/**
 * Claims jobs for a {@link JobSink}, one step after the other: again at once while there
 * are more, otherwise when a signal, free capacity, the next run-at or a poll calls for
 * it. One thread at a time takes a step and sleeps until the next; all other methods are
 * safe for use by several threads.
 */
final class JobFetcher implements JobSignals.Listener, Poller {

	private final UUID worker;

	private final JobStore store;

	private final JobSignals signals;

	private final JobSink sink;

	private final ClaimRequests demands;

	private final ClaimLedger claims;

	private final PollSchedule schedule;

	private final JobLogger steps;

	private final BacklogScan poll;

	private final ClaimCursors floors;

	private final AdmissionSchedule gates;

	private final QueueOutages outages = new QueueOutages();

	private final ClaimSize claimSize = new ClaimSize();

	private final FetchStatus contact = new FetchStatus();

	private final WakeableSleep waiter = new WakeableSleep();

	private final PauseWatch pauses;

	private final AtomicReference<@Nullable Runnable> change = new AtomicReference<>();

	/**
	 * Create a fetcher.
	 * @param pauses what may call for a change, also right before claims
	 */
	JobFetcher(UUID worker, JobStore store, JobSignals signals, JobSink sink, ClaimRequests demands, ClaimLedger claims,
			PollSchedule schedule, JobLogger steps, PauseWatch pauses) {
		this.worker = worker;
		this.store = store;
		this.signals = signals;
		this.sink = sink;
		this.demands = demands;
		this.claims = claims;
		this.schedule = schedule;
		this.steps = steps;
		this.pauses = pauses;
		this.poll = new BacklogScan(worker, store, signals, demands, claims);
		this.floors = new ClaimCursors(demands::isServed);
		this.gates = new AdmissionSchedule(store, demands::keyRules);
	}

	FetchStatus contact() {
		return this.contact;
	}

	QueueOutages outages() {
		return this.outages;
	}

	/**
	 * Claim what the sink has room for.
	 * @return how long to sleep until the next step
	 */
	Duration step() {
		boolean unused = this.pauses.callForChange(false);
		applyChange();
		if (this.schedule.isPollDue()) {
			poll();
		}
		else if (this.schedule.takeLook()) {
			this.sink.expectMore();
		}
		if (!this.floors.isEmpty() && this.pauses.callForChange(true)) {
			return step();
		}
		boolean more = false;
		for (Map<String, Capacity> rooms : this.sink.reserve(this::isPermitted)) {
			more |= new Round(rooms).run();
		}
		this.poll.shareRest();
		return more ? Duration.ZERO : this.sink.limit(this.schedule.remaining());
	}

	private void poll() {
		List<TierBacklog> found = this.poll.run(this.floors, this.gates, this.sink::expect, this.schedule);
		if (this.sink.sharesBacklog()) {
			this.poll.share(found);
		}
		this.contact.polled();
	}

	/**
	 * An earlier look takes the place of the one that was scheduled when the queue
	 * failed.
	 */
	private boolean isPermitted(String queue) {
		Duration pause = this.outages.untilPermitted(queue);
		if (!pause.isZero()) {
			this.schedule.lookWithin(pause);
		}
		return pause.isZero();
	}

	/**
	 * What was passed over before may be wanted now: look from the beginning.
	 */
	private void applyChange() {
		Runnable pending = this.change.get();
		if (pending != null) {
			pending.run();
			this.change.compareAndSet(pending, null);
			this.schedule.follow(PollTurn.ALONE);
			this.schedule.pollNow();
		}
	}

	/**
	 * Admit jobs with keys, for the claim that follows and for all others with room.
	 * @return whether more are to be admitted at once
	 */
	private boolean admit(String queue) {
		AdmissionResult admission = this.gates.open(queue);
		if (admission == null) {
			return false;
		}
		admission.admitted().forEach(this.floors::lower);
		this.signals.publish(admission.admitted(), this);
		if (admission.nextDueIn() != null) {
			expect(new Tier(queue, Capacity.ANY_PRIORITY), admission.nextDueIn());
		}
		return Duration.ZERO.equals(admission.nextDueIn());
	}

	/**
	 * Where workers share a deep backlog, most of what lies ahead has been claimed by
	 * others: each job would be looked at by each of them.
	 */
	private void skipClaimed(String queue) {
		ClaimedRange stretch = this.sink.sharesBacklog() ? this.floors.stretch(queue) : null;
		if (stretch != null) {
			this.floors.skip(stretch, this.store.skip(this.worker, stretch));
		}
	}

	private ClaimResult claim(ClaimRequest room) {
		ClaimRequest demand = this.claimSize.applyTo(this.sink.withinBytes(room));
		boolean withheldBefore = this.sink.isWithholding(demand.queue());
		ClaimResult claimed = claimAndHandOut(demand);
		if (claimed.nextDueIn() != null) {
			this.schedule.lookWithin(claimed.nextDueIn());
		}
		this.floors.raise(demand, claimed);
		boolean shared = this.sink.sharesBacklog() && !withheldBefore && !claimed.withheld().isEmpty();
		if (shared) {
			this.signals.tellOthers(claimed.withheld());
		}
		if (shared || (!claimed.mayBeMore() && claimed.at() != null)) {
			this.poll.leaveNone(demand.queue());
		}
		return claimed;
	}

	/**
	 * Claim jobs and hand them to the sink. Until it has taken them, any failure makes
	 * the next poll give them back. The claim is noted for that before, as there may be
	 * no memory left to do so later.
	 */
	private ClaimResult claimAndHandOut(ClaimRequest demand) {
		long since = System.nanoTime();
		this.claims.begin(demand.claim());
		try {
			ClaimResult claimed = this.steps.claim(demand.queue(), () -> this.store.claim(this.worker, demand));
			this.claims.received(demand.claim(), claimed.jobs().size());
			this.steps.claimed(claimed.jobs());
			if (this.sink.take(demand.queue(), claimed, since)) {
				this.claims.confirm(demand.claim());
			}
			else {
				this.claims.fail(demand.claim());
			}
			this.claimSize.succeeded(claimed.mayBeMore());
			return claimed;
		}
		catch (RuntimeException | Error ex) {
			this.claimSize.failed(ex);
			this.claims.fail(demand.claim());
			throw ex;
		}
	}

	@Override
	public void onWakeUps(Collection<? extends WakeUp> signals) {
		List<? extends WakeUp> relevant = signals.stream().filter(this::isRelevant).toList();
		if (!relevant.isEmpty()) {
			relevant.forEach(this::expect);
			wake();
		}
	}

	private boolean isRelevant(WakeUp signal) {
		return (signal instanceof JobsAvailable available) ? this.floors.lower(available)
				: this.demands.isServed(signal.queue());
	}

	@Override
	public void onLostSignals() {
		this.schedule.pollSoon();
		wake();
	}

	private void expect(WakeUp signal) {
		if (signal instanceof JobsAvailable available) {
			expect(available);
		}
		else {
			expect(new Tier(signal.queue(), Capacity.ANY_PRIORITY), Duration.ZERO);
		}
	}

	private void expect(JobsAvailable available) {
		if (available.pendingAdmission()) {
			this.gates.openWithin(available.queue(), available.dueIn());
		}
		expect(available.tier(), available.dueIn());
	}

	private void expect(Tier tier, Duration dueIn) {
		if (dueIn.isZero()) {
			this.sink.expect(tier);
		}
		else {
			this.schedule.lookWithin(dueIn);
		}
	}

	/**
	 * Change what is served while nothing is being claimed, instead of a change that has
	 * not been made yet; again and again, if it fails.
	 */
	void change(Runnable change) {
		this.change.set(change);
		wake();
	}

	long claimMark() {
		return this.claims.mark();
	}

	@Override
	public void follow(PollTurn rota) {
		this.schedule.follow(rota);
		wake();
	}

	@Override
	public void pollNow() {
		this.schedule.pollNow();
		wake();
	}

	void wake() {
		this.waiter.wake();
	}

	/**
	 * Sleep until woken, at most for the given time.
	 */
	void sleep(Duration atMost) throws InterruptedException {
		boolean unused = this.waiter.sleep(atMost);
	}

	/**
	 * Return how long it is until the next poll, or the next look for jobs that are due
	 * then.
	 */
	Duration remaining() {
		return this.schedule.remaining();
	}

	/**
	 * Claims for queues that share their room: it ends with the first claim that brings
	 * jobs. If a queue fails, and not for want of a connection, the others have their
	 * turns.
	 */
	private final class Round {

		private final Map<String, Capacity> open;

		private boolean more;

		private boolean full;

		Round(Map<String, Capacity> rooms) {
			this.open = new LinkedHashMap<>(rooms);
		}

		/**
		 * Claim.
		 * @return whether there may be more to claim at once
		 */
		boolean run() {
			List.copyOf(this.open.keySet()).forEach((queue) -> attempt(queue, () -> prepare(queue)));
			JobFetcher.this.demands.of(this.open, JobFetcher.this.floors).forEach(this::claim);
			if (!this.full) {
				this.open.keySet().forEach(JobFetcher.this.outages::over);
			}
			return this.more;
		}

		private void prepare(String queue) {
			this.more |= admit(queue);
			skipClaimed(queue);
		}

		private void claim(ClaimRequest demand) {
			if (!this.full && this.open.containsKey(demand.queue())) {
				attempt(demand.queue(), () -> note(demand.queue(), JobFetcher.this.claim(demand)));
			}
		}

		private void note(String queue, ClaimResult claimed) {
			JobFetcher.this.outages.over(queue);
			this.more |= claimed.mayBeMore();
			this.full = !claimed.jobs().isEmpty();
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
				JobFetcher.this.schedule.lookWithin(JobFetcher.this.outages.failed(queue, ex));
				JobFetcher.this.schedule.pollNow();
				JobFetcher.this.sink.failed(ex);
			}
		}

	}

}
