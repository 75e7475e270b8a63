package io.jobqueue.internal.pull;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.ClaimedJobBuilder;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.concurrent.NamedThreads;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.worker.WorkerRuntime;
import io.jobqueue.internal.worker.execution.BufferedJob;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pulled jobs that exceed their maximum run time.
 */
class PulledJobMonitorTests extends NodeTestBase {

	/**
	 * Both outcomes are submitted to the batcher, which lists them as it gives up.
	 */
	@Test
	void outcomesAreSubmitted() {
		QueueNode node = node(settings());
		WorkerRuntime runtime = node.workerRuntime((role) -> NamedThreads.daemons("node", role));
		PulledExecutions executions = new PulledExecutions();
		executions.add(new PulledExecution(held(1), runtime.leases(), runtime.batcher(), executions));
		executions.add(new PulledExecution(held(2), runtime.leases(), runtime.batcher(), executions));
		try (CapturedLog log = new CapturedLog()) {
			new PulledJobMonitor(executions, runtime, (queue) -> node.queueSettings()).run();
			runtime.batcher().giveUp();
			assertThat(log.messages("Could not record the outcome of")).hasSize(2);
		}
		assertThat(executions.all()).isEmpty();
	}

	private static BufferedJob held(long seq) {
		ClaimedJob job = new ClaimedJobBuilder().seq(seq).maxAttempts(1).maxRunTime(Duration.ZERO).build();
		return new BufferedJob(job, System.nanoTime() - 1_000, System.nanoTime(), null);
	}

}
