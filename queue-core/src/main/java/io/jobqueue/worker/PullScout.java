package io.jobqueue.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.Arrival;
import io.jobqueue.store.ClaimRequest;
import io.jobqueue.store.ClaimResult;
import io.jobqueue.store.JobStore;
import io.jobqueue.store.JobStore.AdmissionResult;
import io.jobqueue.store.JobStore.TierBacklog;
import io.jobqueue.store.PauseTarget;

/**
 * Looks for the next job of a source, one look after the other, each beginning where the
 * last one ended. One thread looks at a time; the others may tell it things meanwhile.
 */
final class PullScout {

	private final Registration registration;

	private final JobStore store;

	private final JobSignals signals;

	private final ServedTypes declared;

	private final Demands demands;

	private final Pauses pauses;

	private Set<PauseTarget> heeded = Set.of();

	private final Runnable announcement;

	private final Runnable introduction;

	private final ClaimLedger claims;

	private final PollSchedule schedule;

	private final Map<String, Room> rooms = new LinkedHashMap<>();

	private final Floors floors;

	private final Gates gates;

	private final Poll poll;

	private final JobSteps steps;

	private final QueueOutages outages = new QueueOutages();

	private boolean announced;

	private volatile boolean closed;

	/**
	 * Create a scout.
	 * @param announcement tells the database of the queues, before the first look
	 * @param introduction makes this worker known to the database
	 */
	PullScout(Registration registration, WorkerParts parts, WorkerSettings settings, ServedTypes types, Demands demands,
			Pauses pauses, Runnable announcement, Runnable introduction) {
		this.registration = registration;
		this.store = parts.jobs();
		this.signals = parts.signals();
		this.declared = types;
		this.demands = demands;
		this.pauses = pauses;
		this.announcement = announcement;
		this.introduction = introduction;
		this.claims = registration.claims();
		this.schedule = new PollSchedule(settings.pollInterval(), settings.maxPollInterval(), parts.wakeUpWorks());
		types.queues().forEach((queue) -> this.rooms.put(queue, Room.of(1, 0)));
		this.floors = new Floors(demands::isServed);
		this.gates = new Gates(this.store, demands::keyRules);
		this.poll = new Poll(registration.id(), this.store, this.signals, demands, this.claims);
		this.steps = registration.steps();
	}

	PollSchedule schedule() {
		return this.schedule;
	}

	/**
	 * Claim a job, if any is known of.
	 */
	@Nullable HeldJob look() {
		return this.registration.leases().outside(this::step);
	}

	/**
	 * Claim a job, if there is any.
	 */
	@Nullable HeldJob lookEverywhere() {
		return this.registration.leases().outside(() -> {
			HeldJob known = step();
			if (known != null) {
				return known;
			}
			this.schedule.pollNow();
			return step();
		});
	}

	private @Nullable HeldJob step() {
		if (this.closed) {
			return null;
		}
		announce();
		heedPauses(false);
		if (this.schedule.isPollDue()) {
			List<TierBacklog> unused = this.poll.run(this.floors, this.gates, (tier) -> {
			}, this.schedule);
		}
		boolean unused = this.schedule.takeLook();
		Map<String, Room> open = permitted();
		RuntimeException failure = admit(open);
		if (!this.floors.isEmpty()) {
			heedPauses(true);
		}
		return claim(open, failure);
	}

	/**
	 * Return the queues to look at: all but those that fail. Where all of them fail, that
	 * is all of them, as the caller is to get the failure.
	 */
	private Map<String, Room> permitted() {
		Map<String, Room> permitted = new LinkedHashMap<>(this.rooms);
		permitted.keySet().removeIf(this::isPausing);
		return permitted.isEmpty() ? new LinkedHashMap<>(this.rooms) : permitted;
	}

	private boolean isPausing(String queue) {
		Duration pause = this.outages.untilPermitted(queue);
		if (!pause.isZero()) {
			this.schedule.lookWithin(pause);
		}
		return !pause.isZero();
	}

	private void announce() {
		if (!this.announced) {
			this.announcement.run();
			this.announced = true;
		}
	}

	/**
	 * What was passed over before may be wanted now: look from the beginning.
	 */
	private void heedPauses(boolean claiming) {
		Set<PauseTarget> paused = this.pauses.current(claiming);
		if (!paused.equals(this.heeded)) {
			this.demands.serve(this.declared.without(paused));
			this.heeded = paused;
			this.schedule.pollNow();
		}
	}

	/**
	 * Admit jobs with keys.
	 * @param open the queues; those where that fails are removed
	 * @return the last failure, {@code null} if there is none
	 */
	private @Nullable RuntimeException admit(Map<String, Room> open) {
		RuntimeException failure = null;
		for (String queue : List.copyOf(open.keySet())) {
			try {
				admit(queue);
			}
			catch (RuntimeException ex) {
				failure = noted(queue, ex);
				open.remove(queue);
			}
		}
		return failure;
	}

	private void admit(String queue) {
		AdmissionResult admission = this.gates.open(queue);
		if (admission != null) {
			this.signals.publish(admission.admitted());
			if (admission.nextDueIn() != null) {
				this.schedule.lookWithin(admission.nextDueIn());
			}
		}
	}

	/**
	 * If jobs of a queue cannot be claimed, and not for want of a connection, those of
	 * the other queues are. The failure is thrown if there are none.
	 * @param admission the failure of an admission
	 */
	private @Nullable HeldJob claim(Map<String, Room> open, @Nullable RuntimeException admission) {
		RuntimeException failure = admission;
		for (ClaimRequest demand : this.demands.inTurn(open, this.floors)) {
			try {
				HeldJob held = this.closed ? null : claim(demand);
				this.outages.over(demand.queue());
				if (held != null) {
					return held;
				}
			}
			catch (RuntimeException ex) {
				failure = noted(demand.queue(), ex);
				open.remove(demand.queue());
			}
		}
		open.keySet().forEach(this.outages::over);
		if (failure != null) {
			throw failure;
		}
		return null;
	}

	private RuntimeException noted(String queue, RuntimeException failure) {
		if (QueueOutages.concernsAll(failure)) {
			throw failure;
		}
		this.schedule.lookWithin(this.outages.failed(queue, failure));
		this.schedule.pollNow();
		return failure;
	}

	/**
	 * What a claim brings after the close has nobody who would take it.
	 */
	private @Nullable HeldJob claim(ClaimRequest demand) {
		long since = System.nanoTime();
		this.claims.begin(demand.claim());
		try {
			ClaimResult claimed = this.steps.claim(demand.queue(),
					() -> this.store.claim(this.registration.id(), demand));
			if (this.closed) {
				this.claims.fail(demand.claim());
				return null;
			}
			return taken(demand, claimed, since);
		}
		catch (RuntimeException | Error ex) {
			this.claims.fail(demand.claim());
			throw ex;
		}
	}

	private @Nullable HeldJob taken(ClaimRequest demand, ClaimResult claimed, long since) {
		note(demand, claimed);
		HeldJob held = claimed.jobs().isEmpty() ? null : HeldJob.of(claimed, since).get(0);
		this.claims.confirm(demand.claim());
		return held;
	}

	private void note(ClaimRequest demand, ClaimResult claimed) {
		this.claims.received(demand.claim(), claimed.jobs().size());
		this.steps.claimed(claimed.jobs());
		this.floors.raise(demand, claimed);
		if (claimed.refused()) {
			this.introduction.run();
		}
		if (claimed.missed()) {
			this.schedule.lookWithin(Duration.ZERO);
		}
		if (claimed.nextDueIn() != null) {
			this.schedule.lookWithin(claimed.nextDueIn());
		}
	}

	/**
	 * Note what was committed.
	 * @return whether it is worth to look again, or to know when
	 */
	boolean hear(Collection<Arrival> arrivals) {
		boolean relevant = false;
		for (Arrival arrival : arrivals) {
			relevant |= hear(arrival);
		}
		return relevant;
	}

	private boolean hear(Arrival arrival) {
		String queue = arrival.tier().queue();
		boolean relevant = arrival.isFreedSlot() ? this.rooms.containsKey(queue) : this.floors.lower(arrival);
		if (relevant) {
			this.schedule.lookWithin(arrival.dueIn());
			if (arrival.gated()) {
				this.gates.openWithin(queue, arrival.dueIn());
			}
		}
		return relevant;
	}

	/**
	 * Have a job given back later, as one that was claimed without our hearing of it.
	 */
	void disown(HeldJob held) {
		this.claims.fail(held.job().claim());
	}

	/**
	 * Give back what was claimed without our hearing of it.
	 */
	void giveBackUnseen() {
		this.poll.giveBackUnseen();
	}

	/**
	 * Claim nothing any more, and hand out nothing that is being claimed.
	 */
	void close() {
		this.closed = true;
	}

	boolean isClosed() {
		return this.closed;
	}

}
