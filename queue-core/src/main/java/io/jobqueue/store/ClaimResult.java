package io.jobqueue.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.WakeUp.JobsAvailable;

/**
 * What a claim brought.
 *
 * @param jobs the claimed jobs
 * @param withheld due jobs that were not claimed because they are on their last attempt
 * and found no free handler, or because those before them are as large as was demanded
 * @param quota how many jobs could be claimed at most: fewer than were demanded where all
 * workers together had come close to a limit
 * @param missed whether a due job that was found slipped away, because it was changed
 * meanwhile
 * @param refused whether the database claimed nothing, because it does not take the
 * worker to be alive
 * @param at the time of the snapshot, {@code null} if nothing was read
 * @param nextDueIn how long until the next job of the demanded priorities is due, or may
 * be claimed, {@code null} if that is not known
 */
public record ClaimResult(List<ClaimedJob> jobs, Collection<JobsAvailable> withheld, int quota, boolean missed,
		boolean refused, @Nullable Instant at, @Nullable Duration nextDueIn) {

	/**
	 * Return what a claim brought that could not be made, although the worker may.
	 * @param again how long until another one may succeed
	 * @return no jobs
	 */
	public static ClaimResult none(Duration again) {
		return new ClaimResult(List.of(), List.of(), 0, false, false, null, again);
	}

	/**
	 * Return the same with another time until the next job may be claimed.
	 * @param nextDueIn how long until then
	 * @return a copy
	 */
	public ClaimResult withNextDueIn(Duration nextDueIn) {
		return new ClaimResult(this.jobs, this.withheld, this.quota, this.missed, this.refused, this.at, nextDueIn);
	}

	/**
	 * Return whether to claim again at once.
	 * @return {@code true} if there may be more that can be claimed
	 */
	public boolean mayBeMore() {
		return this.missed || !this.withheld.isEmpty() || (this.quota > 0 && this.jobs.size() >= this.quota);
	}

	/**
	 * Return whether as much was found as could be claimed.
	 * @return {@code true} if there was perhaps more
	 */
	public boolean isEnough() {
		return this.jobs.size() + this.withheld.size() >= this.quota;
	}

}
