package io.jobqueue.internal.maintenance;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.jobqueue.internal.maintenance.MaintenanceLoop.Task;
import io.jobqueue.internal.maintenance.MaintenanceLoop.TaskOnRows;
import io.jobqueue.internal.signal.JobSignals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * When a task of maintenance is left out.
 */
class TaskOnRowsTests {

	private final JobSignals signals = new JobSignals();

	private final AtomicInteger runs = new AtomicInteger();

	private final TaskOnRows task = task(this.runs::incrementAndGet);

	@Test
	void runsAtEachTurnWithoutHeartbeats() {
		assertThat(runs(3)).isEqualTo(3);
	}

	/**
	 * The one more run finds out that a queue is served again, for example.
	 */
	@Test
	void runsOnceMoreAfterHeartbeatsFindNothingAndAgainAfterAWakeUp() {
		assertThat(runs(2)).isEqualTo(2);
		findNothing();
		assertThat(runs(3)).isEqualTo(1);
		findNothing();
		assertThat(runs(3)).isZero();
		this.signals.makeUpForLostSignals();
		assertThat(runs(3)).isEqualTo(3);
	}

	@Test
	void failedRunIsNoRun() {
		TaskOnRows failing = task(() -> {
			throw new IllegalStateException("Run " + this.runs.incrementAndGet());
		});
		findNothing();
		assertThatIllegalStateException().isThrownBy(failing::run).withMessage("Run 1");
		assertThatIllegalStateException().isThrownBy(failing::run).withMessage("Run 2");
	}

	private TaskOnRows task(Runnable runOnce) {
		return new TaskOnRows(new Task("A task", runOnce, Duration.ofHours(1), true), this.signals.tables());
	}

	private void findNothing() {
		this.signals.tables().checkedIn(true, System.nanoTime());
	}

	private int runs(int turns) {
		this.runs.set(0);
		for (int turn = 0; turn < turns; turn++) {
			this.task.run();
		}
		return this.runs.get();
	}

}
