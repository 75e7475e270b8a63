package io.jobqueue.worker;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.ClaimRequest;
import io.jobqueue.store.ClaimResult;
import io.jobqueue.store.JobPosition;
import io.jobqueue.store.JobStore.ClaimedRange;
import io.jobqueue.store.JobStore.TierBacklog;
import io.jobqueue.store.Tier;
import io.jobqueue.store.WakeUp.JobsAvailable;

/**
 * Where a claim begins to look in each tier. What lies before that place has been
 * claimed, is being claimed by another worker or is not for this one, and costs nothing,
 * not even while an open transaction keeps the dead rows. Whatever arrives before it
 * later, because it was committed late or came back, lowers the floor with its signal;
 * for those whose signal is lost, or whose claim was rolled back, there is the next
 * survey.
 */
final class ClaimCursors {

	private final Predicate<Tier> served;

	private final TreeMap<Tier, ClaimCursor> floors = new TreeMap<>();

	private final Map<Tier, JobPosition> lowered = new HashMap<>();

	ClaimCursors(Predicate<Tier> served) {
		this.served = served;
	}

	/**
	 * Lower a floor from the next claim on: the one under way does not see what arrives
	 * now.
	 * @return whether this worker serves the tier
	 */
	synchronized boolean lower(JobsAvailable arrival) {
		boolean relevant = this.served.test(arrival.tier());
		if (relevant) {
			this.lowered.merge(arrival.tier(), arrival.position(), JobPosition::earlier);
		}
		return relevant;
	}

	/**
	 * Begin anew where a look from the beginning has found the first jobs.
	 */
	synchronized void surveyed(Collection<TierBacklog> tiers) {
		this.floors.clear();
		tiers.forEach((tier) -> this.floors.put(tier.tier(), new ClaimCursor(tier.floor())));
	}

	/**
	 * Return whether no job is known of.
	 */
	synchronized boolean isEmpty() {
		return this.floors.isEmpty() && this.lowered.isEmpty();
	}

	/**
	 * Return the floors of a queue, up to a priority.
	 */
	synchronized SortedMap<Tier, JobPosition> of(String queue, int maxPriority) {
		lowerFloorsOf(queue);
		SortedMap<Tier, JobPosition> positions = new TreeMap<>();
		this.floors.subMap(new Tier(queue, 0), new Tier(queue, maxPriority + 1))
			.forEach((tier, floor) -> positions.put(tier, floor.position()));
		return positions;
	}

	/**
	 * Those of other queues are for the claim that takes their floors.
	 */
	private void lowerFloorsOf(String queue) {
		this.lowered.forEach((tier, position) -> {
			if (tier.queue().equals(queue)) {
				this.floors.computeIfAbsent(tier, (absent) -> new ClaimCursor(position)).lower(position);
			}
		});
		this.lowered.keySet().removeIf((tier) -> tier.queue().equals(queue));
	}

	/**
	 * Raise the floors to where a claim got to: where it left nothing, to the time of the
	 * claim; where it had enough, to its last job; and nowhere past a job that was
	 * withheld. A job that slipped away during the claim leaves them where they are.
	 */
	synchronized void raise(ClaimRequest demand, ClaimResult claimed) {
		Instant at = claimed.at();
		if (at == null || claimed.missed() || claimed.quota() == 0) {
			return;
		}
		TreeMap<Tier, JobPosition> last = new TreeMap<>();
		claimed.jobs().forEach((job) -> last.merge(job.tier(), job.position(), JobPosition::later));
		claimed.withheld().forEach((job) -> last.merge(job.tier(), job.position(), JobPosition::later));
		Tier deepest = claimed.isEnough() ? last.lastKey() : null;
		SortedMap<Tier, JobPosition> reached = (deepest != null) ? demand.floors().headMap(deepest) : demand.floors();
		reached.keySet().forEach((tier) -> last.put(tier, JobPosition.at(at)));
		claimed.withheld().forEach((job) -> last.merge(job.tier(), job.position(), JobPosition::earlier));
		demand.floors().keySet().forEach((tier) -> floor(tier).lookedAt(at, tier.equals(deepest)));
		last.forEach((tier, position) -> floor(tier).raise(position));
	}

	/**
	 * A survey may have found the tier empty meanwhile.
	 */
	private ClaimCursor floor(Tier tier) {
		return this.floors.computeIfAbsent(tier, (absent) -> new ClaimCursor(JobPosition.at(Instant.EPOCH)));
	}

	/**
	 * Return a stretch of a queue that others may have claimed, where there was more than
	 * a claim could take.
	 */
	synchronized @Nullable ClaimedRange stretch(String queue) {
		for (Map.Entry<Tier, ClaimCursor> entry : this.floors.subMap(new Tier(queue, 0), new Tier(queue, 100))
			.entrySet()) {
			ClaimedRange stretch = entry.getValue().stretch(entry.getKey(), this.lowered.get(entry.getKey()));
			if (stretch != null) {
				return stretch;
			}
		}
		return null;
	}

	/**
	 * Go on behind what others have claimed of a stretch.
	 */
	synchronized void skip(ClaimedRange stretch, JobPosition reached) {
		ClaimCursor floor = this.floors.get(stretch.tier());
		if (floor != null) {
			floor.skip(stretch, reached);
		}
	}

	/**
	 * Where a claim begins to look in one tier, and what is known of the way beyond.
	 * <p>
	 * What other workers have claimed since the last signal came, one after the other,
	 * holds nothing that waits. Of earlier claims that is only sure up to the place that
	 * the signal told. Guarded by {@link ClaimCursors}.
	 */
	static final class ClaimCursor {

		private static final int MOST_FRUITLESS = 32;

		private JobPosition position;

		private @Nullable Instant since;

		private @Nullable JobPosition limit;

		private boolean deep;

		private int fruitless = 1;

		private int untilNext;

		ClaimCursor(JobPosition position) {
			this.position = position;
		}

		JobPosition position() {
			return this.position;
		}

		void lower(JobPosition signalled) {
			this.position = JobPosition.earlier(this.position, signalled);
			this.limit = (this.limit != null) ? JobPosition.earlier(this.limit, signalled) : signalled;
		}

		/**
		 * Note a claim that looked at the given time, and thus after all signals that had
		 * come before.
		 * @param deep whether it had enough before it came to an end
		 */
		void lookedAt(Instant at, boolean deep) {
			if (this.since == null || this.limit != null) {
				this.since = at;
			}
			this.limit = null;
			this.deep = deep;
		}

		void raise(JobPosition reached) {
			this.position = JobPosition.later(this.position, reached);
		}

		/**
		 * Return what to ask the way for: nothing, mostly, where that was in vain.
		 */
		@Nullable ClaimedRange stretch(Tier tier, @Nullable JobPosition signalled) {
			if (!this.deep || this.since == null || --this.untilNext > 0) {
				return null;
			}
			JobPosition end = (signalled != null && this.limit != null) ? JobPosition.earlier(signalled, this.limit)
					: (signalled != null) ? signalled : this.limit;
			return new ClaimedRange(tier, this.position, this.since, end);
		}

		void skip(ClaimedRange stretch, JobPosition reached) {
			boolean inVain = reached.equals(stretch.from());
			this.fruitless = inVain ? Math.min(MOST_FRUITLESS, 2 * this.fruitless) : 1;
			this.untilNext = inVain ? this.fruitless : 0;
			if (this.position.equals(stretch.from())) {
				this.position = reached;
			}
		}

	}

}
