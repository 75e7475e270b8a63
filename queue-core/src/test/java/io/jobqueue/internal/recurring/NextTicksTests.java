package io.jobqueue.internal.recurring;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.jobqueue.Misfire;
import io.jobqueue.Overlap;
import io.jobqueue.RecurringJobInfo;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The next times of stored schedules.
 */
class NextTicksTests {

	private static RecurringJobInfo schedule(@Nullable String cron, @Nullable Duration rate, @Nullable String nextAt) {
		return new RecurringJobInfo("digest", "emails", "Mail", cron, rate,
				(cron != null) ? ZoneId.of("Europe/Berlin") : null, Misfire.ONCE, Overlap.SKIP, Duration.ZERO, false,
				null, (nextAt != null) ? Instant.parse(nextAt) : null, null, null, null, 0, 0);
	}

	/**
	 * The clocks are set back on 25 October.
	 */
	@Test
	void cronIsEvaluatedInItsZone() {
		assertThat(NextTicks.of(schedule("0 0 7 * * *", null, "2026-10-24T05:00:00Z"), 3)).containsExactly(
				Instant.parse("2026-10-24T05:00:00Z"), Instant.parse("2026-10-25T06:00:00Z"),
				Instant.parse("2026-10-26T06:00:00Z"));
	}

	@Test
	void rateContinuesFromTheNextTick() {
		assertThat(NextTicks.of(schedule(null, Duration.ofHours(5), "2026-11-28T22:00:01Z"), 2))
			.containsExactly(Instant.parse("2026-11-28T22:00:01Z"), Instant.parse("2026-11-29T03:00:01Z"));
	}

	@Test
	void pausedScheduleHasNone() {
		assertThat(NextTicks.of(schedule("0 0 7 * * *", null, null), 3)).isEmpty();
	}

	@Test
	void scheduleThatEndsHasFewer() {
		assertThat(NextTicks.of(schedule("0 0 0 30 2 *", null, "2026-10-24T05:00:00Z"), 3)).hasSize(1);
	}

	@Test
	void onlyTheStoredTickOfInvalidTimingIsKnown() {
		assertThat(NextTicks.of(schedule("never", null, "2026-10-24T05:00:00Z"), 3))
			.containsExactly(Instant.parse("2026-10-24T05:00:00Z"));
		assertThat(NextTicks.of(schedule(null, Duration.ZERO, "2026-10-24T05:00:00Z"), 3)).hasSize(1);
	}

}
