package io.jobqueue.internal.worker.fetch;

import java.time.Duration;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.jobqueue.internal.signal.JobSignals;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When the next poll is due.
 */
class PollScheduleTests {

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	private static final Duration LONGEST = Duration.ofSeconds(100);

	private static final Duration AT_ONCE = Duration.ofMillis(1);

	private final PollSchedule schedule = new PollSchedule(INTERVAL, LONGEST, () -> true);

	private final JobSignals signals = new JobSignals();

	@Test
	void firstPollIsDueAtOnce() {
		assertThat(this.schedule.isPollDue()).isTrue();
	}

	@Test
	void pollForLostSignalsIsDueWithinASecond() {
		remainingAfterAnEmptyPoll(this.schedule);
		this.schedule.pollSoon();
		assertThat(this.schedule.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void pollsForLostSignalsAreSpread() {
		LongSummaryStatistics millis = IntStream.range(0, 500).mapToLong((worker) -> {
			PollSchedule one = new PollSchedule(INTERVAL, LONGEST, () -> true);
			one.polled(false, Duration.ZERO);
			one.pollSoon();
			return one.remaining().toMillis();
		}).summaryStatistics();
		assertThat(millis.getMax() - millis.getMin()).isGreaterThan(500);
	}

	@Test
	void pollThatFoundJobsIsFollowedWithinTheInterval() {
		this.schedule.polled(false, AT_ONCE);
		this.schedule.polled(false, AT_ONCE);
		this.schedule.polled(true, AT_ONCE);
		assertThat(this.schedule.remaining()).isBetween(Duration.ZERO, INTERVAL.plusSeconds(1));
	}

	@Test
	void pollsThatFindNothingBecomeRarerUpToTheLongestInterval() {
		assertThat(remainingAfterAnEmptyPoll(this.schedule)).isBetween(INTERVAL.multipliedBy(2),
				INTERVAL.multipliedBy(3));
		assertThat(remainingAfterAnEmptyPoll(this.schedule)).isBetween(INTERVAL.multipliedBy(4),
				INTERVAL.multipliedBy(5));
		for (int poll = 0; poll < 10; poll++) {
			remainingAfterAnEmptyPoll(this.schedule);
		}
		assertThat(remainingAfterAnEmptyPoll(this.schedule)).isBetween(LONGEST.multipliedBy(9).dividedBy(10),
				LONGEST.multipliedBy(11).dividedBy(10));
		this.schedule.polled(true, AT_ONCE);
		assertThat(this.schedule.remaining()).isLessThan(INTERVAL.plusSeconds(1));
	}

	@Test
	void pollsKeepTheirIntervalWhereNothingWakesTheWorkerUp() {
		PollSchedule alone = new PollSchedule(INTERVAL, LONGEST, () -> false);
		for (int poll = 0; poll < 10; poll++) {
			assertThat(remainingAfterAnEmptyPoll(alone)).isLessThan(INTERVAL.plusSeconds(1));
		}
	}

	@Test
	void heartbeatsReplacePollsAfterOneThatFoundNothing() {
		findNothing();
		assertThat(replace()).as("The first poll").isFalse();
		assertThat(this.schedule.isCalm()).isFalse();
		this.schedule.polled(false, AT_ONCE);
		assertThat(replace()).isTrue();
		assertThat(this.schedule.isCalm()).isTrue();
		this.schedule.polled(true, AT_ONCE);
		assertThat(replace()).as("A poll after one that found jobs").isFalse();
		assertThat(this.schedule.isCalm()).isFalse();
	}

	@Test
	void eachEighthPollSearchesAllTheSame() {
		findNothing();
		this.schedule.polled(false, AT_ONCE);
		for (int round = 0; round < 2; round++) {
			for (int poll = 1; poll < 8; poll++) {
				assertThat(replace()).as("Poll %d", poll).isTrue();
			}
			assertThat(replace()).as("The eighth").isFalse();
		}
	}

	@Test
	void heartbeatsReplaceNoPollThatIsRequested() {
		findNothing();
		for (Runnable request : List.<Runnable>of(this.schedule::pollNow, this.schedule::pollSoon)) {
			this.schedule.polled(false, AT_ONCE);
			request.run();
			assertThat(replace()).isFalse();
		}
	}

	/**
	 * The poll may have read the tables before the jobs of the request were there.
	 */
	@Test
	void requestDuringAPollIsAnsweredByTheNextOne() {
		this.schedule.begin();
		this.schedule.pollNow();
		this.schedule.polled(false, AT_ONCE);
		assertThat(this.schedule.isPollDue()).isTrue();
		this.schedule.begin();
		findNothing();
		assertThat(replace()).isFalse();
		this.schedule.polled(false, AT_ONCE);
		assertThat(this.schedule.isPollDue()).isFalse();
	}

	/**
	 * The intervals are those of polls, which are shorter than those of heartbeats.
	 */
	@Test
	void olderHeartbeatsReplaceNoPoll() {
		PollSchedule often = new PollSchedule(Duration.ofNanos(100), Duration.ofNanos(100), () -> true);
		findNothing();
		often.polled(false, Duration.ZERO);
		assertThat(often.replace(this.signals.tables())).isFalse();
	}

	@Test
	void nothingIsCalmWhereSignalsDoNotArrive() {
		PollSchedule alone = new PollSchedule(INTERVAL, LONGEST, () -> false);
		alone.polled(false, AT_ONCE);
		assertThat(alone.isCalm()).isFalse();
	}

	private void findNothing() {
		this.signals.tables().checkedIn(true, System.nanoTime());
	}

	private boolean replace() {
		return this.schedule.replace(this.signals.tables());
	}

	@Test
	void heartbeatAdvancesTheNextPollOnceSignalsAreLost() {
		AtomicBoolean wakeUpWorks = new AtomicBoolean(true);
		PollSchedule failing = new PollSchedule(INTERVAL, LONGEST, wakeUpWorks::get);
		remainingAfterAnEmptyPoll(failing);
		assertThat(remainingAfterAnEmptyPoll(failing)).isGreaterThan(INTERVAL.multipliedBy(3));
		wakeUpWorks.set(false);
		failing.follow(turnThatHasJustBegun());
		assertThat(failing.remaining()).isLessThan(INTERVAL.plusSeconds(1));
	}

	@Test
	void pollsOfSeveralWorkersAreSpreadByAShareOfTheInterval() {
		LongSummaryStatistics millis = IntStream.range(0, 500)
			.mapToObj((worker) -> new PollSchedule(INTERVAL, LONGEST, () -> false))
			.mapToLong((worker) -> remainingAfterAnEmptyPoll(worker).toMillis())
			.summaryStatistics();
		assertThat(millis.getMax() - millis.getMin()).isBetween(INTERVAL.toMillis() / 100, INTERVAL.toMillis() / 20);
	}

	private static Duration remainingAfterAnEmptyPoll(PollSchedule schedule) {
		schedule.follow(turnThatHasJustBegun());
		schedule.polled(false, Duration.ZERO);
		return schedule.remaining();
	}

	private static PollSchedule.Turn turnThatHasJustBegun() {
		return new PollSchedule.Turn(0, 1, 1 - System.nanoTime());
	}

	@Test
	void pollThatTookLongIsFollowedByAPause() {
		this.schedule.polled(true, Duration.ofSeconds(1));
		assertThat(this.schedule.isPollDue()).isFalse();
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
		this.schedule.follow(PollSchedule.Turn.ALONE);
		assertThat(this.schedule.remaining()).isGreaterThan(INTERVAL.multipliedBy(2));
	}

	@Test
	void jobThatIsDueBeforeTheNextPollIsLookedForOnce() {
		this.schedule.polled(false, AT_ONCE);
		this.schedule.claimWithin(Duration.ZERO);
		assertThat(this.schedule.remaining()).isZero();
		assertThat(this.schedule.takeDueClaim()).isTrue();
		assertThat(this.schedule.takeDueClaim()).isFalse();
		this.schedule.claimWithin(Duration.ofHours(1));
		assertThat(this.schedule.takeDueClaim()).as("before it is due").isFalse();
	}

	@Test
	void workersWithTheSameRoundPollInTurn() {
		Duration first = new PollSchedule.Turn(0, 2, 0).untilTurn(INTERVAL);
		Duration second = new PollSchedule.Turn(1, 2, 0).untilTurn(INTERVAL);
		assertThat(first.minus(second).abs()).isBetween(INTERVAL.minusSeconds(1), INTERVAL.plusSeconds(1));
	}

}
