package io.jobqueue.worker;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When the next poll is due.
 */
class PollScheduleTests {

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	private static final Duration LONGEST = Duration.ofSeconds(100);

	private static final Duration AT_ONCE = Duration.ofMillis(1);

	private final PollSchedule schedule = new PollSchedule(INTERVAL, LONGEST, () -> true);

	@Test
	void firstPollIsDueAtOnce() {
		assertThat(this.schedule.isPollDue()).isTrue();
	}

	@Test
	void pollThatFoundJobsIsFollowedWithinTheInterval() {
		this.schedule.polled(true, AT_ONCE);
		assertThat(this.schedule.remaining()).isBetween(Duration.ZERO, INTERVAL.plusSeconds(1));
	}

	@Test
	void pollThatTookLongIsFollowedByAPause() {
		this.schedule.polled(true, Duration.ofSeconds(1));
		assertThat(this.schedule.remaining()).isGreaterThan(INTERVAL.multipliedBy(2));
	}

	/**
	 * It may have waited for a connection of an exhausted pool.
	 */
	@Test
	void noPauseIsLongerThanTheLongestInterval() {
		this.schedule.polled(true, Duration.ofMinutes(5));
		assertThat(this.schedule.remaining()).isLessThanOrEqualTo(LONGEST);
	}

	@Test
	void heartbeatDoesNotCutThePauseShort() {
		this.schedule.polled(true, Duration.ofSeconds(1));
		this.schedule.follow(Rota.ALONE);
		assertThat(this.schedule.remaining()).isGreaterThan(INTERVAL.multipliedBy(2));
	}

	@Test
	void jobThatIsDueBeforeTheNextPollIsLookedForOnce() {
		this.schedule.polled(false, AT_ONCE);
		this.schedule.lookWithin(Duration.ZERO);
		assertThat(this.schedule.remaining()).isZero();
		assertThat(this.schedule.takeLook()).isTrue();
		assertThat(this.schedule.takeLook()).isFalse();
	}

	@Test
	void workersOfOneRotaTakeTurns() {
		Duration first = new Rota(0, 2, 0).untilTurn(INTERVAL);
		Duration second = new Rota(1, 2, 0).untilTurn(INTERVAL);
		assertThat(first.minus(second).abs()).isBetween(INTERVAL.minusSeconds(1), INTERVAL.plusSeconds(1));
	}

}
