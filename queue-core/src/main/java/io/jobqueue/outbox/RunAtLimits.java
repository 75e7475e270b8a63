package io.jobqueue.outbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobRejectedException;
import io.jobqueue.logging.DurationText;

/**
 * Rejects run-ats that are too late to be stored, or further in the past than configured.
 */
public final class RunAtLimits {

	private static final String RUN_AT = "runAt";

	private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

	private final Clock clock;

	private final @Nullable Duration staleAfter;

	/**
	 * Create limits.
	 * @param clock the application's clock
	 * @param staleAfter the maximum age of a run-at, {@code null} for no limit
	 */
	public RunAtLimits(Clock clock, @Nullable Duration staleAfter) {
		this.clock = clock;
		this.staleAfter = staleAfter;
	}

	/**
	 * Return the run-at to store. A run-at before 1970 is replaced with the start of
	 * 1970, which is due as well, since the database cannot store all earlier times.
	 * @throws JobRejectedException if the run-at is after the year 9999 or older than
	 * permitted
	 */
	@Nullable Instant checked(@Nullable Instant runAt) {
		if (runAt == null) {
			return null;
		}
		if (runAt.isAfter(LATEST)) {
			throw new JobRejectedException(RUN_AT, "is after the year 9999");
		}
		if (this.staleAfter != null && runAt.isBefore(this.clock.instant().minus(this.staleAfter))) {
			throw new JobRejectedException(RUN_AT,
					"is %s, longer ago than the %s that jobqueue.producer.stale-after allows".formatted(runAt,
							DurationText.of(this.staleAfter)));
		}
		return runAt.isBefore(Instant.EPOCH) ? Instant.EPOCH : runAt;
	}

}
