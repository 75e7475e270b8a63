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
 * @param unknownType the type of a due job that the worker has no handler for, if there
 * is one
 * @param judgeIn how long until a job is to be judged at the gate, zero if one is,
 * {@code null} if there is none
 */
public record SurveyedTier(Tier tier, Position floor, @Nullable Duration dueIn, @Nullable String unknownType,
		@Nullable Duration judgeIn) {
}
