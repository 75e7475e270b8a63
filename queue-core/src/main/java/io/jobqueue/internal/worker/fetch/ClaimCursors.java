package io.jobqueue.internal.worker.fetch;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.JobStore.TierBacklog;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

/**
 * The position in each tier where the next claim begins. Jobs before it have been
 * claimed, are being claimed by another worker or are not served by this one; a claim
 * does not read them, so that it does not scan dead rows which an open transaction keeps.
 * The signal of a job that appears before the cursor, because it was committed late or
 * released, moves the cursor back. The next scan finds jobs whose signal is lost or whose
 * claim was rolled back.
 */
final class ClaimCursors {

	private final Predicate<Tier> served;

	private final TreeMap<Tier, JobPosition> cursors = new TreeMap<>();

	private final Map<Tier, JobPosition> lowered = new HashMap<>();

	ClaimCursors(Predicate<Tier> served) {
		this.served = served;
	}

	/**
	 * Move a cursor back for the next claim. The snapshot of a claim that is under way
	 * may not contain the signalled job.
	 * @return {@code true} if this worker serves the tier
	 */
	synchronized boolean lower(JobsAvailable available) {
		boolean relevant = this.served.test(available.tier());
		if (relevant) {
			this.lowered.merge(available.tier(), available.position(), JobPosition::earlier);
		}
		return relevant;
	}

	/**
	 * Set the cursors to the first job of each tier that a scan has found.
	 */
	synchronized void reset(Collection<TierBacklog> tiers) {
		this.cursors.clear();
		tiers.forEach((tier) -> this.cursors.put(tier.tier(), tier.position()));
	}

	/**
	 * Return whether no tier is known to hold jobs.
	 */
	synchronized boolean isEmpty() {
		return this.cursors.isEmpty() && this.lowered.isEmpty();
	}

	/**
	 * Return the cursors of a queue, up to a priority.
	 */
	synchronized SortedMap<Tier, JobPosition> of(String queue, int maxPriority) {
		lowerCursorsOf(queue);
		return new TreeMap<>(this.cursors.subMap(new Tier(queue, 0), new Tier(queue, maxPriority + 1)));
	}

	/**
	 * Signals of other queues remain for the claims of those queues.
	 */
	private void lowerCursorsOf(String queue) {
		Iterator<Map.Entry<Tier, JobPosition>> signals = this.lowered.entrySet().iterator();
		while (signals.hasNext()) {
			Map.Entry<Tier, JobPosition> signal = signals.next();
			if (signal.getKey().queue().equals(queue)) {
				this.cursors.merge(signal.getKey(), signal.getValue(), JobPosition::earlier);
				signals.remove();
			}
		}
	}

	/**
	 * Move the cursors forward to the end of a claim: to the time of the claim in tiers
	 * that it has emptied, to its last job in the tier where it reached its quota, and
	 * never past a withheld job. The cursors stay if another transaction has changed a
	 * job during the claim.
	 */
	synchronized void raise(ClaimRequest request, ClaimResult claimed) {
		Instant at = claimed.at();
		if (at == null || claimed.missed() || claimed.quota() == 0) {
			return;
		}
		SortedMap<Tier, JobPosition> ends = ends(claimed);
		Tier deepest = claimed.isEnough() ? ends.lastKey() : null;
		SortedMap<Tier, JobPosition> emptied = (deepest != null) ? request.positions().headMap(deepest)
				: request.positions();
		for (Tier tier : emptied.keySet()) {
			ends.put(tier, JobPosition.at(at));
		}
		for (JobsAvailable job : claimed.withheld()) {
			ends.merge(job.tier(), job.position(), JobPosition::earlier);
		}
		ends.forEach((tier, position) -> raise(this.cursors, tier, position));
	}

	private static SortedMap<Tier, JobPosition> ends(ClaimResult claimed) {
		SortedMap<Tier, JobPosition> ends = new TreeMap<>();
		for (ClaimedJob job : claimed.jobs()) {
			raise(ends, job.tier(), job.position());
		}
		for (JobsAvailable job : claimed.withheld()) {
			raise(ends, job.tier(), job.position());
		}
		return ends;
	}

	private static void raise(Map<Tier, JobPosition> positions, Tier tier, JobPosition position) {
		positions.merge(tier, position, JobPosition::later);
	}

}
