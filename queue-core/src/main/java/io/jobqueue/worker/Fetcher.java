package io.jobqueue.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.Arrival;
import io.jobqueue.store.ClaimRequest;
import io.jobqueue.store.ClaimResult;
import io.jobqueue.store.JobStore;
import io.jobqueue.store.JobStore.AdmissionResult;
import io.jobqueue.store.JobStore.ClaimedRange;
import io.jobqueue.store.JobStore.TierBacklog;
import io.jobqueue.store.Tier;

/**
 * Claims jobs for all lanes of a worker: again at once while there are more, otherwise
 * when a signal, a free handler, the next run-at or a poll calls for it.
 */
final class Fetcher implements Runnable, JobSignals.Listener, Poller {

	private final UUID worker;

	private final JobStore store;

	private final JobSignals signals;

	private final Lanes lanes;

	private final Demands demands;

	private final ClaimLedger claims;

	private final PollSchedule schedule;

	private final JobSteps steps;

	private final Poll poll;

	private final UnknownTypes unknownTypes = new UnknownTypes();

	private final Floors floors;

	private final Gates gates;

	private final QueueOutages outages = new QueueOutages();

	private final ClaimSize claimSize = new ClaimSize();

	private final Contact contact = new Contact();

	private final FetchLoop loop;

	private final PauseWatch pauses;

	private final AtomicReference<@Nullable Runnable> change = new AtomicReference<>();

	/**
	 * Create a fetcher.
	 * @param pauses what may call for a change, also right before claims
	 */
	Fetcher(UUID worker, JobStore store, JobSignals signals, Lanes lanes, Demands demands, ClaimLedger claims,
			PollSchedule schedule, JobSteps steps, PauseWatch pauses) {
		this.worker = worker;
		this.store = store;
		this.signals = signals;
		this.lanes = lanes;
		this.demands = demands;
		this.claims = claims;
		this.schedule = schedule;
		this.steps = steps;
		this.pauses = pauses;
		this.poll = new Poll(worker, store, signals, demands, claims);
		this.floors = new Floors(demands::isServed);
		this.gates = new Gates(store, demands::keyRules);
		this.loop = new FetchLoop(this::step, schedule::pollNow, this.contact);
	}

	@Override
	public void run() {
		this.loop.run();
	}

	Contact contact() {
		return this.contact;
	}

	QueueOutages outages() {
		return this.outages;
	}

	/**
	 * Claim what the lanes have room for.
	 * @return how long to wait for a call
	 */
	Duration step() {
		boolean unused = this.pauses.callForChange(false);
		applyChange();
		if (this.schedule.isPollDue()) {
			poll();
		}
		else if (this.schedule.takeLook()) {
			this.lanes.expectMore();
		}
		if (!this.floors.isEmpty() && this.pauses.callForChange(true)) {
			return Duration.ZERO;
		}
		boolean more = false;
		for (Map.Entry<String, Room> room : this.lanes.reserve(this.outages::permit).entrySet()) {
			more |= fetch(room.getKey(), room.getValue());
		}
		this.poll.shareRest();
		return more ? Duration.ZERO : pause();
	}

	private void poll() {
		List<TierBacklog> found = this.poll.run(this.floors, this.gates, this.lanes::expect, this.schedule);
		found.forEach(this.unknownTypes::report);
		this.poll.note(found);
		this.contact.polled();
	}

	/**
	 * Claim jobs of a queue. If that fails, and not for want of a connection, the other
	 * queues have their turns.
	 * @return whether there may be more to claim at once
	 */
	private boolean fetch(String queue, Room room) {
		try {
			boolean more = admit(queue);
			skipClaimed(queue);
			for (ClaimRequest demand : this.demands.of(Map.of(queue, room), this.floors)) {
				more |= claim(demand);
			}
			this.outages.over(queue);
			return more;
		}
		catch (RuntimeException | Error ex) {
			if (QueueOutages.concernsAll(ex)) {
				throw ex;
			}
			this.schedule.lookWithin(this.outages.failed(queue, ex));
			this.schedule.pollNow();
			return false;
		}
	}

	/**
	 * What was passed over before may be wanted now: look from the beginning.
	 */
	private void applyChange() {
		Runnable pending = this.change.get();
		if (pending != null) {
			pending.run();
			this.change.compareAndSet(pending, null);
			this.schedule.follow(Rota.ALONE);
			this.schedule.pollNow();
		}
	}

	/**
	 * Let jobs with keys in, for the claim that follows and for whoever else has room.
	 * @return whether more are to be judged at once
	 */
	private boolean admit(String queue) {
		AdmissionResult admission = this.gates.open(queue);
		if (admission == null) {
			return false;
		}
		admission.admitted().forEach(this.floors::lower);
		this.signals.tellOthers(admission.admitted());
		if (admission.nextDueIn() != null) {
			expect(new Tier(queue, Room.ANY_PRIORITY), admission.nextDueIn());
		}
		return Duration.ZERO.equals(admission.nextDueIn());
	}

	/**
	 * Where workers share a deep backlog, most of what lies ahead has been claimed by
	 * others: each job would be looked at by each of them.
	 */
	private void skipClaimed(String queue) {
		ClaimedRange stretch = this.floors.stretch(queue);
		if (stretch != null) {
			this.floors.skip(stretch, this.store.skip(this.worker, stretch));
		}
	}

	private Duration pause() {
		Duration remaining = this.schedule.remaining();
		return (this.lanes.employMore() && remaining.compareTo(RunTimes.MOMENT) > 0) ? RunTimes.MOMENT : remaining;
	}

	/**
	 * Claim.
	 * @return whether there may be more to claim at once
	 */
	private boolean claim(ClaimRequest room) {
		ClaimRequest demand = this.claimSize.applyTo(this.lanes.withinBytes(room));
		boolean withheldBefore = this.lanes.isWithholding(demand.queue());
		ClaimResult claimed = claimAndHandOut(demand);
		if (claimed.nextDueIn() != null) {
			this.schedule.lookWithin(claimed.nextDueIn());
		}
		this.floors.raise(demand, claimed);
		boolean shared = !withheldBefore && !claimed.withheld().isEmpty();
		if (shared) {
			this.signals.tellOthers(claimed.withheld());
		}
		if (shared || (!claimed.mayBeMore() && claimed.at() != null)) {
			this.poll.leaveNone(demand.queue());
		}
		return claimed.mayBeMore();
	}

	/**
	 * Claim jobs and have the lane take them. Until it has, whatever is thrown makes the
	 * next poll give them back. The claim is noted for that before, as there may be no
	 * memory left to do so later.
	 */
	private ClaimResult claimAndHandOut(ClaimRequest demand) {
		long since = System.nanoTime();
		this.claims.begin(demand.claim());
		try {
			ClaimResult claimed = this.steps.claim(demand.queue(), () -> this.store.claim(this.worker, demand));
			this.claims.received(demand.claim(), claimed.jobs().size());
			this.steps.claimed(claimed.jobs());
			this.lanes.take(demand.queue(), HeldJob.of(claimed, since), claimed.mayBeMore(),
					!claimed.withheld().isEmpty());
			this.claims.confirm(demand.claim());
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
	public void onArrival(Collection<Arrival> arrivals) {
		arrivals.stream()
			.filter((arrival) -> arrival.isFreedSlot() || this.floors.lower(arrival))
			.forEach(this::expect);
		wake();
	}

	@Override
	public void onLostSignals() {
		this.schedule.pollSoon();
		wake();
	}

	private void expect(Arrival arrival) {
		if (arrival.gated()) {
			this.gates.openWithin(arrival.tier().queue(), arrival.dueIn());
		}
		expect(arrival.tier(), arrival.dueIn());
	}

	private void expect(Tier tier, Duration dueIn) {
		if (dueIn.isZero()) {
			this.lanes.expect(tier);
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
	public void follow(Rota rota) {
		this.schedule.follow(rota);
		wake();
	}

	@Override
	public void pollNow() {
		this.schedule.pollNow();
		wake();
	}

	void wake() {
		this.loop.wake();
	}

	void close() {
		this.loop.close();
	}

	/**
	 * Give back what was claimed without our hearing of it. To be called when nothing is
	 * claimed any more.
	 */
	void giveBackUnseen() {
		this.poll.giveBackUnseen();
	}

}
