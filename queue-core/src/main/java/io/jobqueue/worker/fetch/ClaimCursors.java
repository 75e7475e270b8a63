package io.jobqueue.worker.fetch;

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
 * The position in each tier where the next claim begins. Jobs before it have been
 * claimed, are being claimed by another worker or are not served by this one; a claim
 * does not read them, so that it does not scan dead rows which an open transaction keeps.
 * The signal of a job that appears before the cursor, because it was committed late or
 * released, moves the cursor back. The next scan finds jobs whose signal is lost or whose
 * claim was rolled back.
 */
final class ClaimCursors {

	private final Predicate<Tier> served;

	private final TreeMap<Tier, ClaimCursor> cursors = new TreeMap<>();

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
		tiers.forEach((tier) -> this.cursors.put(tier.tier(), new ClaimCursor(tier.position())));
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
		SortedMap<Tier, JobPosition> positions = new TreeMap<>();
		this.cursors.subMap(new Tier(queue, 0), new Tier(queue, maxPriority + 1))
			.forEach((tier, cursor) -> positions.put(tier, cursor.position()));
		return positions;
	}

	/**
	 * Signals of other queues remain for the claims of those queues.
	 */
	private void lowerCursorsOf(String queue) {
		this.lowered.forEach((tier, position) -> {
			if (tier.queue().equals(queue)) {
				this.cursors.computeIfAbsent(tier, (absent) -> new ClaimCursor(position)).lower(position);
			}
		});
		this.lowered.keySet().removeIf((tier) -> tier.queue().equals(queue));
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
		TreeMap<Tier, JobPosition> last = new TreeMap<>();
		claimed.jobs().forEach((job) -> last.merge(job.tier(), job.position(), JobPosition::later));
		claimed.withheld().forEach((job) -> last.merge(job.tier(), job.position(), JobPosition::later));
		Tier deepest = claimed.isEnough() ? last.lastKey() : null;
		SortedMap<Tier, JobPosition> reached = (deepest != null) ? request.positions().headMap(deepest)
				: request.positions();
		reached.keySet().forEach((tier) -> last.put(tier, JobPosition.at(at)));
		claimed.withheld().forEach((job) -> last.merge(job.tier(), job.position(), JobPosition::earlier));
		request.positions().keySet().forEach((tier) -> cursor(tier).scanned(at, tier.equals(deepest)));
		last.forEach((tier, position) -> cursor(tier).raise(position));
	}

	/**
	 * The cursor is absent if a scan has found the tier empty since the request was made.
	 */
	private ClaimCursor cursor(Tier tier) {
		return this.cursors.computeIfAbsent(tier, (absent) -> new ClaimCursor(JobPosition.at(Instant.EPOCH)));
	}

	/**
	 * Return a range of a queue whose jobs other workers may have claimed, {@code null}
	 * if there is no tier in which the last claim has reached its quota.
	 */
	synchronized @Nullable ClaimedRange claimedRange(String queue) {
		for (Map.Entry<Tier, ClaimCursor> entry : this.cursors.subMap(new Tier(queue, 0), new Tier(queue, 100))
			.entrySet()) {
			ClaimedRange range = entry.getValue().claimedRange(entry.getKey(), this.lowered.get(entry.getKey()));
			if (range != null) {
				return range;
			}
		}
		return null;
	}

	/**
	 * Move a cursor past the jobs of a range that other workers have claimed.
	 */
	synchronized void skip(ClaimedRange range, JobPosition reached) {
		ClaimCursor cursor = this.cursors.get(range.tier());
		if (cursor != null) {
			cursor.skip(range, reached);
		}
	}

	/**
	 * The position in one tier where the next claim begins, and the facts that permit to
	 * skip jobs behind it.
	 * <p>
	 * A gapless sequence of jobs that other workers have claimed since the last signal
	 * contains no waiting job. For earlier claims, this holds only up to the position in
	 * the signal. Guarded by {@link ClaimCursors}.
	 */
	static final class ClaimCursor {

		private static final int MAX_SKIP_PAUSE = 32;

		private JobPosition position;

		private @Nullable Instant since;

		private @Nullable JobPosition limit;

		private boolean deep;

		private int skipPause = 1;

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
		 * Note a claim whose snapshot has the given time, and thus contains the jobs of
		 * all earlier signals.
		 * @param deep whether the claim reached its quota before the end of the tier
		 */
		void scanned(Instant at, boolean deep) {
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
		 * Return the range to skip, {@code null} if there is none. After attempts that
		 * skipped nothing, the number of calls until the next range doubles, up to
		 * {@value #MOST_FRUITLESS}.
		 */
		@Nullable ClaimedRange claimedRange(Tier tier, @Nullable JobPosition signalled) {
			if (!this.deep || this.since == null || --this.untilNext > 0) {
				return null;
			}
			JobPosition end = (signalled != null && this.limit != null) ? JobPosition.earlier(signalled, this.limit)
					: (signalled != null) ? signalled : this.limit;
			return new ClaimedRange(tier, this.position, this.since, end);
		}

		void skip(ClaimedRange range, JobPosition reached) {
			boolean skippedNone = reached.equals(range.from());
			this.skipPause = skippedNone ? Math.min(MAX_SKIP_PAUSE, 2 * this.skipPause) : 1;
			this.untilNext = skippedNone ? this.skipPause : 0;
			if (this.position.equals(range.from())) {
				this.position = reached;
			}
		}

	}

}
