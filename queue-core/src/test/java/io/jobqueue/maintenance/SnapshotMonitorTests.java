package io.jobqueue.maintenance;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.store.CleanupReading;
import io.jobqueue.store.CleanupStore;
import io.jobqueue.store.SnapshotHolder;

import static org.assertj.core.api.Assertions.assertThat;

class SnapshotMonitorTests implements CleanupStore {

	private static final Duration THRESHOLD = Duration.ofMinutes(5);

	private final CapturedLog log = new CapturedLog();

	private final SnapshotMonitor monitor = new SnapshotMonitor(this, THRESHOLD, this::nanoTime);

	private long now;

	private @Nullable SnapshotHolder holder;

	@AfterEach
	void close() {
		this.log.close();
	}

	@Test
	void oldSnapshotIsWarnedOf() {
		this.holder = holder("100", THRESHOLD.plusSeconds(1));
		look(2);
		assertThat(warnings()).hasSize(1).first().asString().contains("for PT5M1S by session 4711 of user reports");
	}

	@Test
	void youngOneIsNot() {
		this.holder = holder("100", THRESHOLD);
		look(3);
		assertThat(warnings()).isEmpty();
	}

	/**
	 * A transaction may be old whose snapshot is not.
	 */
	@Test
	void oneThatIsLetGoAgainAndAgainIsNot() {
		for (int snapshot = 0; snapshot < 5; snapshot++) {
			this.holder = holder(Integer.toString(snapshot), Duration.ofHours(1));
			look(1);
		}
		assertThat(warnings()).isEmpty();
	}

	@Test
	void warningIsRepeatedEveryHour() {
		this.holder = holder("100", Duration.ofHours(1));
		look(60);
		assertThat(warnings()).hasSize(1);
		look(2);
		assertThat(warnings()).hasSize(2);
	}

	@Test
	void ageThatIsHiddenIsMeasured() {
		this.holder = holder("100", null);
		look(6);
		assertThat(warnings()).isEmpty();
		look(1);
		assertThat(warnings()).hasSize(1);
	}

	@Test
	void thresholdOfZeroLooksAtNothing() {
		this.holder = holder("100", Duration.ofHours(1));
		SnapshotMonitor off = new SnapshotMonitor(this, Duration.ZERO, this::nanoTime);
		off.runOnce();
		off.runOnce();
		assertThat(warnings()).isEmpty();
	}

	private List<String> warnings() {
		return this.log.messages("The oldest snapshot");
	}

	/**
	 * Look once a minute.
	 */
	private void look(int times) {
		for (int time = 0; time < times; time++) {
			this.monitor.runOnce();
			this.now += Duration.ofMinutes(1).toNanos();
		}
	}

	private long nanoTime() {
		return this.now;
	}

	private static SnapshotHolder holder(String snapshot, @Nullable Duration age) {
		return new SnapshotHolder("session 4711 of user reports", 4711, snapshot, age);
	}

	@Override
	public List<String> tables() {
		return List.of();
	}

	@Override
	public CleanupReading read() {
		return new CleanupReading(this.holder, Map.of());
	}

}
