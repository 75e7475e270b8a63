package io.jobqueue.outbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobRejectedException;
import io.jobqueue.logging.DurationText;

/**
 * Rejects the run-at of a request that is too late to be stored, or too long ago to be
 * intended.
 */
public final class RunAtLimits {

	private static final String RUN_AT = "runAt";

	private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

	private final Clock clock;

	private final @Nullable Duration staleAfter;

	/**
	 * Create limits.
	 * @param clock the application's clock
	 * @param staleAfter how long ago a run-at may be, {@code null} for any time
	 */
	public RunAtLimits(Clock clock, @Nullable Duration staleAfter) {
		this.clock = clock;
		this.staleAfter = staleAfter;
	}

	/**
	 * Return the run-at to store. One before 1970 becomes 1970, which is due as well: the
	 * database cannot store all earlier times.
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
