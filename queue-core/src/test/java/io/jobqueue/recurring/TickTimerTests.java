package io.jobqueue.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.jobqueue.Misfire;
import io.jobqueue.Overlap;
import io.jobqueue.store.RecurringStore.DueSchedule;
import io.jobqueue.store.RecurringStore.Scan;
import io.jobqueue.store.RecurringStore.Timing;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When the next scan for due schedules is.
 */
class TickTimerTests {

	private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

	private static final Instant SOON = NOW.plusMillis(50);

	private static final DueSchedule DUE = new DueSchedule("digest", 7, new Timing(null, null, Duration.ofSeconds(1)),
			Misfire.ONCE, Overlap.SKIP, Duration.ZERO, NOW, NOW, "default", "mail", null, null, null, null, false);

	private final TickTimer timer = new TickTimer();

	/**
	 * The snapshot of a scan shows the schedule as it was before its tick.
	 */
	@Test
	void nextTickOfATickedScheduleIsWaitedFor() throws InterruptedException {
		this.timer.begin();
		this.timer.ticked(null);
		this.timer.ticked(SOON);
		this.timer.ticked(NOW.plusSeconds(60));
		this.timer.scanned(new Scan(List.of(DUE), NOW.plusSeconds(30), NOW), 1);
		assertThat(this.timer.await()).isTrue();
		assertThat(this.timer.begin()).isEqualTo(SOON);
	}

	@Test
	void nextTickOfOtherSchedulesIsWaitedFor() throws InterruptedException {
		this.timer.begin();
		this.timer.ticked(NOW.plusSeconds(60));
		this.timer.scanned(new Scan(List.of(DUE), SOON, NOW), 1);
		assertThat(this.timer.await()).isTrue();
		assertThat(this.timer.begin()).isEqualTo(SOON);
	}

}
