package io.jobqueue.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.WakeUp.JobsAvailable;

/**
 * The result of a claim.
 *
 * @param jobs the claimed jobs
 * @param withheld due jobs that were not claimed: no handler was free for their last
 * attempt, or the jobs before them reached the requested number of bytes
 * @param quota the maximum number of jobs of this claim: lower than requested where a
 * limit over all workers allowed fewer
 * @param missed whether another transaction changed a due job between the search and the
 * claim, so that it was not claimed
 * @param refused whether the claim was refused because the database does not consider the
 * worker alive
 * @param at the time of the claim by the database's clock, {@code null} if no claim was
 * made, or if a single new job was not claimed
 * @param nextDueIn the time until the next job of the requested priorities is due or can
 * be claimed, {@code null} if unknown
 */
public record ClaimResult(List<ClaimedJob> jobs, Collection<JobsAvailable> withheld, int quota, boolean missed,
		boolean refused, @Nullable Instant at, @Nullable Duration nextDueIn) {

	/**
	 * Return the result of a claim that was not made because its lock was not available.
	 * @param again the time until the next attempt
	 * @return a result without jobs
	 */
	public static ClaimResult none(Duration again) {
		return new ClaimResult(List.of(), List.of(), 0, false, false, null, again);
	}

	/**
	 * Return a copy of this result with another time until the next job can be claimed.
	 * @param nextDueIn the time
	 * @return the copy
	 */
	public ClaimResult withNextDueIn(Duration nextDueIn) {
		return new ClaimResult(this.jobs, this.withheld, this.quota, this.missed, this.refused, this.at, nextDueIn);
	}

	/**
	 * Return whether to claim again immediately.
	 * @return {@code true} if more jobs may be claimable
	 */
	public boolean mayBeMore() {
		return this.missed || !this.withheld.isEmpty() || (this.quota > 0 && this.jobs.size() >= this.quota);
	}

	/**
	 * Return whether the claim found as many jobs as it could claim.
	 * @return {@code true} if there may be more due jobs
	 */
	public boolean isEnough() {
		return this.jobs.size() + this.withheld.size() >= this.quota;
	}

}
