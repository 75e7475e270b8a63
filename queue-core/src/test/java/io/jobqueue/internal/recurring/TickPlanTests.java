package io.jobqueue.internal.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.jobqueue.Misfire;
import io.jobqueue.Overlap;
import io.jobqueue.internal.store.RecurringStore.DueSchedule;
import io.jobqueue.internal.store.RecurringStore.Timing;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the due ticks of a schedule do.
 */
class TickPlanTests {

	private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");

	private static final Timing MINUTELY = new Timing(null, null, Duration.ofMinutes(1));

	@ParameterizedTest
	@EnumSource(Misfire.class)
	void tickInTimeEnqueuesAJob(Misfire misfire) {
		assertThat(plan(misfire, MINUTELY, ago(Duration.ofMillis(5))))
			.isEqualTo(new TickPlan(List.of(ago(Duration.ofMillis(5))), inMinute(5), 0, 0, false));
	}

	@ParameterizedTest
	@EnumSource(Misfire.class)
	void tickThatIsDueNowEnqueuesAJob(Misfire misfire) {
		assertThat(plan(misfire, MINUTELY, NOW))
			.isEqualTo(new TickPlan(List.of(NOW), NOW.plus(Duration.ofMinutes(1)), 0, 0, false));
	}

	private static Instant inMinute(long millisBefore) {
		return NOW.plus(Duration.ofMinutes(1)).minusMillis(millisBefore);
	}

	@Test
	void onceEnqueuesTheLastOfAllMissedTicks() {
		assertThat(plan(Misfire.ONCE, MINUTELY, ago(Duration.ofMinutes(10))))
			.isEqualTo(new TickPlan(List.of(NOW), NOW.plus(Duration.ofMinutes(1)), 0, 10, false));
	}

	@Test
	void skipEnqueuesALateTickWithinAMinute() {
		Timing hourly = new Timing(null, null, Duration.ofHours(1));
		Instant late = ago(Duration.ofMinutes(1));
		assertThat(plan(Misfire.SKIP, hourly, late))
			.isEqualTo(new TickPlan(List.of(late), late.plus(Duration.ofHours(1)), 0, 0, false));
		Instant tooLate = late.minusMillis(1);
		assertThat(plan(Misfire.SKIP, hourly, tooLate))
			.isEqualTo(new TickPlan(List.of(), tooLate.plus(Duration.ofHours(1)), 0, 1, false));
	}

	@Test
	void skipEnqueuesTheLastTickIfThatIsInTime() {
		assertThat(plan(Misfire.SKIP, MINUTELY, ago(Duration.ofMinutes(10).plusSeconds(1))))
			.isEqualTo(new TickPlan(List.of(NOW.minusSeconds(1)), NOW.plusSeconds(59), 0, 10, false));
	}

	@Test
	void allEnqueuesEveryMissedTick() {
		TickPlan plan = plan(Misfire.ALL, MINUTELY, ago(Duration.ofMinutes(3)));
		assertThat(plan.jobs()).containsExactly(ago(Duration.ofMinutes(3)), ago(Duration.ofMinutes(2)),
				ago(Duration.ofMinutes(1)), NOW);
		assertThat(plan.missed()).isZero();
	}

	@Test
	void allEnqueuesTheOldestThousand() {
		Instant oldest = ago(Duration.ofHours(20));
		TickPlan plan = plan(Misfire.ALL, MINUTELY, oldest);
		assertThat(plan.jobs()).containsExactlyElementsOf(
				LongStream.range(0, 1_000).mapToObj((minute) -> oldest.plus(Duration.ofMinutes(minute))).toList());
		assertThat(plan.missed()).isEqualTo(201);
		assertThat(plan.nextAt()).isEqualTo(NOW.plus(Duration.ofMinutes(1)));
	}

	@Test
	void ticksOlderThanADayEnqueueNothing() {
		Timing hourly = new Timing(null, null, Duration.ofHours(1));
		TickPlan plan = plan(Misfire.ALL, hourly, ago(Duration.ofHours(30).plusMinutes(30)));
		assertThat(plan.jobs()).hasSize(24).startsWith(ago(Duration.ofHours(23).plusMinutes(30)));
		assertThat(plan.missed()).isOne();
	}

	@Test
	void yearlyTickOlderThanADayIsMissed() {
		Timing yearly = new Timing("0 0 0 1 1 *", "Z", null);
		assertThat(plan(Misfire.ONCE, yearly, Instant.parse("2026-01-01T00:00:00Z")))
			.isEqualTo(new TickPlan(List.of(), Instant.parse("2027-01-01T00:00:00Z"), 0, 1, false));
	}

	@Test
	void longOutageKeepsNoTicksThatEnqueueNothing() {
		TickPlan plan = plan(Misfire.ONCE, new Timing(null, null, Duration.ofSeconds(1)), ago(Duration.ofDays(2)));
		assertThat(plan.jobs()).containsExactly(NOW);
		assertThat(plan.missed()).isEqualTo(Duration.ofDays(1).toSeconds());
		assertThat(List.copyOf(plan.jobs())).as("a list of its own").isSameAs(plan.jobs());
	}

	@Test
	void tickWhileTheLastJobIsLiveIsSkipped() {
		assertThat(plan(due(Misfire.ONCE, Overlap.SKIP, MINUTELY, NOW, UUID.randomUUID(), false)))
			.isEqualTo(new TickPlan(List.of(), NOW.plus(Duration.ofMinutes(1)), 1, 0, false));
	}

	@Test
	void everyTickWhileTheLastJobIsLiveIsSkippedOrMissed() {
		Instant since = ago(Duration.ofMinutes(4));
		assertThat(plan(due(Misfire.ALL, Overlap.SKIP, MINUTELY, since, UUID.randomUUID(), false)).skipped())
			.isEqualTo(5);
		TickPlan once = plan(due(Misfire.ONCE, Overlap.SKIP, MINUTELY, since, UUID.randomUUID(), false));
		assertThat(once.skipped()).isOne();
		assertThat(once.missed()).isEqualTo(4);
	}

	@Test
	void tickAdvancesTheRetryOfTheLastJob() {
		assertThat(plan(due(Misfire.ONCE, Overlap.SKIP, MINUTELY, NOW, UUID.randomUUID(), true)))
			.isEqualTo(new TickPlan(List.of(), NOW.plus(Duration.ofMinutes(1)), 0, 0, true));
	}

	@Test
	void missedTickThatEnqueuesNothingAdvancesNoRetry() {
		Timing hourly = new Timing(null, null, Duration.ofHours(1));
		assertThat(plan(due(Misfire.SKIP, Overlap.SKIP, hourly, ago(Duration.ofMinutes(30)), UUID.randomUUID(), true))
			.retry()).isFalse();
	}

	@ParameterizedTest
	@EnumSource(Misfire.class)
	void allowedOverlapEnqueuesAJobWhileTheLastOneIsLive(Misfire misfire) {
		for (boolean retrying : List.of(true, false)) {
			assertThat(plan(due(misfire, Overlap.ALLOW, MINUTELY, NOW, UUID.randomUUID(), retrying)))
				.isEqualTo(new TickPlan(List.of(NOW), NOW.plus(Duration.ofMinutes(1)), 0, 0, false));
		}
	}

	@Test
	void scheduleThatEndsHasALastTick() {
		Timing never = new Timing("0 0 0 30 2 *", "Z", null);
		assertThat(plan(Misfire.ONCE, never, NOW)).isEqualTo(new TickPlan(List.of(NOW), null, 0, 0, false));
		assertThat(plan(Misfire.ALL, never, ago(Duration.ofDays(3))))
			.isEqualTo(new TickPlan(List.of(), null, 0, 1, false));
	}

	private static Instant ago(Duration time) {
		return NOW.minus(time);
	}

	private static TickPlan plan(Misfire misfire, Timing timing, Instant dueAt) {
		return plan(due(misfire, Overlap.SKIP, timing, dueAt, null, false));
	}

	private static TickPlan plan(DueSchedule schedule) {
		return TickPlan.of(schedule, NOW);
	}

	private static DueSchedule due(Misfire misfire, Overlap overlap, Timing timing, Instant dueAt,
			@Nullable UUID lastJob, boolean retrying) {
		return new DueSchedule("digest", 1, timing, misfire, overlap, Duration.ZERO, dueAt, dueAt, "emails", "mail",
				null, null, null, lastJob, retrying);
	}

}
