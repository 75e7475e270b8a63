package io.jobqueue.internal.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * When a node looks for due schedules.
 */
class TickTimerTests {

	private static final Instant AT = Instant.parse("2026-06-01T12:00:00Z");

	private static final Instant NEXT = AT.plus(Duration.ofHours(3));

	private final TickTimer timer = new TickTimer();

	@Test
	void scanBeginsAtTheNextTickOfTheLastOne() {
		this.timer.scanned(AT, NEXT, true);
		assertThat(this.timer.begin()).isEqualTo(NEXT);
		assertThat(this.timer.lateness()).isZero();
	}

	@Test
	void scanBeginsEarlierForATickThatWasCommittedLate() {
		this.timer.scanned(AT, NEXT, true);
		this.timer.expect(Duration.ofSeconds(-1), AT.minusSeconds(1));
		assertThat(this.timer.begin()).isNull();
		assertThat(this.timer.lateness()).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void earlierTickBringsTheScanForward() throws InterruptedException {
		this.timer.scanned(AT, NEXT, true);
		this.timer.expect(Duration.ofSeconds(-1), AT.minusSeconds(1));
		this.timer.wake();
		assertThat(this.timer.await()).isTrue();
	}

	@Test
	void laterTickDelaysNoScan() throws InterruptedException {
		this.timer.scanned(AT, AT, true);
		this.timer.expect(Duration.ofHours(3), NEXT);
		this.timer.wake();
		assertThat(this.timer.await()).isTrue();
		assertThat(this.timer.begin()).isEqualTo(AT);
	}

	@Test
	void scanIsNotDueBeforeItsTick() throws InterruptedException {
		this.timer.scanned(AT, NEXT, true);
		this.timer.wake();
		assertThat(this.timer.await()).isFalse();
	}

	@Test
	void failedScanIsTriedAgain() throws InterruptedException {
		this.timer.begin();
		this.timer.retry(Duration.ZERO);
		this.timer.wake();
		assertThat(this.timer.await()).isTrue();
	}

	@Test
	void lockedScheduleIsTriedAgainAfterASecond() throws InterruptedException {
		this.timer.scanned(AT, null, false);
		assertThat(this.timer.await()).isTrue();
	}

	@Test
	void earlierTickWakesTheTicker() throws Exception {
		assertWakes(() -> this.timer.expect(Duration.ZERO, AT));
	}

	@Test
	void firstHeartbeatWakesTheTicker() throws Exception {
		assertWakes(() -> this.timer.lookedAt(AT));
	}

	private void assertWakes(Runnable change) throws Exception {
		FutureTask<Boolean> waiting = new FutureTask<>(this.timer::await);
		Thread ticker = new Thread(waiting);
		ticker.start();
		try {
			await().until(() -> ticker.getState() == Thread.State.TIMED_WAITING);
			change.run();
			waiting.get(30, TimeUnit.SECONDS);
		}
		finally {
			ticker.interrupt();
		}
	}

	@Test
	void tickThatIsDueIsLate() {
		this.timer.scanned(AT, AT.minusSeconds(5), true);
		assertThat(this.timer.lateness()).isGreaterThanOrEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void firstHeartbeatLeadsToASweep() throws InterruptedException {
		this.timer.lookedAt(AT);
		this.timer.wake();
		assertThat(this.timer.await()).isTrue();
		this.timer.begin();
		assertThat(this.timer.beginSweep()).isTrue();
		assertThat(this.timer.beginSweep()).isFalse();
		this.timer.lookedAt(AT.plusSeconds(1));
		this.timer.wake();
		assertThat(this.timer.await()).isFalse();
	}

	@Test
	void heartbeatThatKnowsNoEarlierTickChangesNothing() throws InterruptedException {
		this.timer.scanned(AT, NEXT, true);
		this.timer.expect(Duration.ofHours(3), NEXT);
		this.timer.wake();
		assertThat(this.timer.await()).isFalse();
		assertThat(this.timer.begin()).isEqualTo(NEXT);
	}

	@Test
	void tickThatIsNotedDuringAScanLeadsToAnotherOne() throws InterruptedException {
		assertThat(this.timer.begin()).isNull();
		this.timer.expect(Duration.ofHours(1), null);
		this.timer.scanned(AT, NEXT, true);
		assertThat(this.timer.await()).isTrue();
		assertThat(this.timer.begin()).isNull();
	}

	@Test
	void lockedScheduleDoesNotDelayTheNextTickOfAnother() throws InterruptedException {
		this.timer.scanned(AT, AT.minusMillis(1), false);
		this.timer.wake();
		assertThat(this.timer.await()).isTrue();
	}

	@Test
	void scanAfterALockedScheduleBeginsNoLater() {
		this.timer.scanned(AT, NEXT, true);
		assertThat(this.timer.begin()).isEqualTo(NEXT);
		this.timer.scanned(NEXT, NEXT.plus(Duration.ofHours(1)), false);
		assertThat(this.timer.begin()).isEqualTo(NEXT);
	}

	@Test
	void heartbeatLooksFromTheMinuteBeforeTheLastOne() {
		assertThat(this.timer.lookFrom()).isNull();
		this.timer.lookedAt(AT);
		this.timer.scanned(AT, NEXT, true);
		assertThat(this.timer.lookFrom()).isEqualTo(AT.minusSeconds(60));
	}

	@Test
	void heartbeatLooksFromATickThatIsLate() {
		this.timer.scanned(AT, AT.minus(Duration.ofHours(1)), true);
		this.timer.lookedAt(AT);
		assertThat(this.timer.lookFrom()).isEqualTo(AT.minus(Duration.ofHours(1)));
	}

	@Test
	void firstHeartbeatAfterAStartLooksForAnyTick() {
		this.timer.scanned(AT, NEXT, true);
		this.timer.lookedAt(AT);
		this.timer.reset();
		this.timer.scanned(AT, NEXT, true);
		assertThat(this.timer.lookFrom()).isNull();
	}

	@Test
	void stoppedNodeScansNothing() throws InterruptedException {
		this.timer.scanned(AT, AT, true);
		this.timer.reset();
		this.timer.wake();
		assertThat(this.timer.await()).isFalse();
	}

	@Test
	void stoppedNodeIsNotLate() {
		this.timer.expect(Duration.ofHours(-1), null);
		assertThat(this.timer.lateness()).isGreaterThanOrEqualTo(Duration.ofHours(1));
		this.timer.reset();
		assertThat(this.timer.lateness()).isZero();
	}

}
