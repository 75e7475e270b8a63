package io.jobqueue.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a tier has for a worker.
 *
 * @param tier the tier
 * @param floor where the first due job stands that the worker can claim, or a place that
 * no such job comes before
 * @param dueIn how long until a job is due, zero if one is, {@code null} if there is none
 * @param unknown the due jobs that the worker has no handler for, if there are any among
 * the first
 * @param judgeIn how long until a job is to be judged at the gate, zero if one is,
 * {@code null} if there is none
 */
public record SurveyedTier(Tier tier, Position floor, @Nullable Duration dueIn, @Nullable UnknownJobs unknown,
		@Nullable Duration judgeIn) {

	/**
	 * Jobs that a worker has no handler for.
	 *
	 * @param type the type of one of them
	 * @param jobs how many there are among the first {@value #LOOKED_AT} due jobs
	 */
	public record UnknownJobs(String type, long jobs) {

		/**
		 * The number of due jobs of a tier that are looked at.
		 */
		public static final int LOOKED_AT = 200;

	}

}
