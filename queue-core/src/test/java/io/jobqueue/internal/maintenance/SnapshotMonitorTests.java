package io.jobqueue.internal.maintenance;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.internal.store.MonitoringStore.CleanupStatus;
import io.jobqueue.internal.store.MonitoringStore.SnapshotHolder;

import static org.assertj.core.api.Assertions.assertThat;

class SnapshotMonitorTests {

	private static final Duration THRESHOLD = Duration.ofMinutes(5);

	private final CapturedLog log = new CapturedLog();

	private final SnapshotMonitor monitor = new SnapshotMonitor(this::cleanup, THRESHOLD, this::nanoTime);

	private long now;

	private @Nullable SnapshotHolder holder;

	@AfterEach
	void close() {
		this.log.close();
	}

	@Test
	void snapshotThatIsHeldForLongIsWarnedOf() {
		this.holder = holder("100");
		checkForMinutes(6);
		assertThat(warnings()).isEmpty();
		checkForMinutes(1);
		assertThat(warnings()).containsExactly("The oldest snapshot has been held for at least 6m by session 4711"
				+ " of user reports; end it: until then the database keeps dead rows, which slow down the queue");
		assertThat(this.log.pairs("The oldest snapshot")).containsExactly(Map.of("database.process", "4711"));
	}

	/**
	 * A batch that takes one snapshot after the other may be met twice with the same.
	 */
	@Test
	void snapshotThatIsReleasedRepeatedlyIsNotWarnedOf() {
		for (int snapshot = 0; snapshot < 20; snapshot++) {
			this.holder = holder(Integer.toString(snapshot));
			checkForMinutes(2);
		}
		assertThat(warnings()).isEmpty();
	}

	@Test
	void lineBreaksAreEscaped() {
		this.holder = new SnapshotHolder("prepared transaction 'a\nb'", null, "100", null);
		checkForMinutes(7);
		assertThat(warnings()).singleElement().asString().contains("'a\\u000ab'");
	}

	@Test
	void releaseResetsTheTime() {
		this.holder = holder("100");
		checkForMinutes(5);
		this.holder = null;
		checkForMinutes(1);
		this.holder = holder("100");
		checkForMinutes(6);
		assertThat(warnings()).isEmpty();
	}

	@Test
	void warningIsRepeatedEveryHour() {
		this.holder = holder("100");
		checkForMinutes(66);
		assertThat(warnings()).hasSize(1);
		checkForMinutes(1);
		assertThat(warnings()).hasSize(2);
	}

	@Test
	void processIsWarnedOfOnceAnHour() {
		for (int snapshot = 0; snapshot < 6; snapshot++) {
			this.holder = holder(Integer.toString(snapshot));
			checkForMinutes(10);
		}
		assertThat(warnings()).hasSize(1);
	}

	@Test
	void slotAndPreparedTransactionHaveDifferentNames() {
		this.holder = new SnapshotHolder("replication slot 'a'", null, "100", null);
		checkForMinutes(10);
		this.holder = new SnapshotHolder("replication slot 'b'", null, "100", null);
		checkForMinutes(10);
		assertThat(warnings()).hasSize(2);
	}

	@Test
	void thresholdOfZeroReadsNothing() {
		this.holder = holder("100");
		SnapshotMonitor off = new SnapshotMonitor(this::cleanup, Duration.ZERO, this::nanoTime);
		off.runOnce();
		this.now = Duration.ofHours(1).toNanos();
		off.runOnce();
		assertThat(warnings()).isEmpty();
	}

	private List<String> warnings() {
		return this.log.messages("The oldest snapshot");
	}

	/**
	 * Check once a minute.
	 */
	private void checkForMinutes(int times) {
		for (int time = 0; time < times; time++) {
			this.monitor.runOnce();
			this.now += Duration.ofMinutes(1).toNanos();
		}
	}

	private long nanoTime() {
		return this.now;
	}

	/**
	 * Its transaction is older than its snapshot.
	 */
	private static SnapshotHolder holder(String snapshot) {
		return new SnapshotHolder("session 4711 of user reports", 4711, snapshot, Duration.ofHours(1));
	}

	private CleanupStatus cleanup() {
		return new CleanupStatus(this.holder, Map.of());
	}

}
