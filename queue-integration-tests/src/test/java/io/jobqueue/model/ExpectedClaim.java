package io.jobqueue.model;

import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.ClaimedJob;

/**
 * What a claim ought to bring.
 *
 * @param alive whether the worker is taken to be alive
 * @param jobs what is claimed
 * @param withheld how many jobs are due, but left
 * @param nextDueIn how many minutes until the next job is due, if that is known
 */
record ExpectedClaim(boolean alive, Set<Taken> jobs, int withheld, @Nullable Integer nextDueIn) {

	static final ExpectedClaim REFUSED = new ExpectedClaim(false, Set.of(), 0, null);

	static ExpectedClaim of(ClaimResult claimed) {
		return new ExpectedClaim(claimed.at() != null,
				claimed.jobs().stream().map(Taken::of).collect(Collectors.toSet()), claimed.withheld().size(),
				Minutes.of(claimed.nextDueIn()));
	}

	ExpectedClaim withNextDueIn(int minutes) {
		return new ExpectedClaim(this.alive, this.jobs, this.withheld, minutes);
	}

	/**
	 * A claimed job.
	 *
	 * @param id its id
	 * @param attempt the number of the attempt
	 * @param maxAttempts after how many it is given up
	 * @param maxRunTime how many minutes it may take
	 * @param once whether it is delivered at most once
	 */
	record Taken(UUID id, int attempt, int maxAttempts, int maxRunTime, boolean once) {

		private static Taken of(ClaimedJob job) {
			return new Taken(job.id(), job.attempt(), job.maxAttempts(), Minutes.ofRunTime(job.maxRunTime()),
					job.atMostOnce());
		}

	}

}
