package io.jobqueue.internal.worker.execution;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;

import org.junit.jupiter.api.Test;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.ClaimedJobBuilder;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.concurrent.NamedThreads;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.worker.WorkerRuntime;
import io.jobqueue.internal.worker.completion.CompletionRecorder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attempts that exceed their maximum run time while the system has no thread left.
 */
class HandlerMonitorTests extends NodeTestBase implements QueueExecutor.Work {

	private final Queue<Runnable> tasks = new ArrayDeque<>();

	private final QueueNode node = new QueueNode(settings());

	private final WorkerRuntime runtime = this.node.workerRuntime((role) -> NamedThreads.daemons("node", role));

	private final QueueExecutors executors = new QueueExecutors((queue) -> new QueueExecutor(queue, 2,
			new RunTimeEstimate(0), PayloadBudget.ofHeap(), this.tasks::add, this));

	private final HandlerMonitor monitor = new HandlerMonitor(this.executors, this.runtime.runner(),
			(queue) -> this.node.queueSettings(), (work) -> {
				throw new OutOfMemoryError("unable to create native thread");
			}, this.runtime.mdc());

	/**
	 * Both outcomes are submitted to the batcher, which lists them as it gives up.
	 */
	@Test
	void outcomesAreRecordedWithoutThreads() {
		closeLater(this.node);
		this.executors.serve(Set.of("emails"));
		QueueExecutor executor = this.executors.all().iterator().next();
		executor.take(List.of(held(1), held(2)), false, false);
		try (CapturedLog log = new CapturedLog()) {
			this.tasks.remove().run();
			this.runtime.batcher().giveUp();
			assertThat(log.messages("Could not record the outcome of")).hasSize(2);
		}
	}

	private static BufferedJob held(long seq) {
		ClaimedJob job = new ClaimedJobBuilder().seq(seq).maxAttempts(1).maxRunTime(Duration.ZERO).build();
		return new BufferedJob(job, System.nanoTime() - 1_000, System.nanoTime(), null);
	}

	@Override
	public CompletionRecorder recorder() {
		return this.runtime.batcher();
	}

	@Override
	public Leases leases() {
		return this.runtime.leases();
	}

	/**
	 * The first run begins the second one, during which both are checked.
	 */
	@Override
	public void run(Turn turn) {
		if (this.tasks.isEmpty()) {
			this.monitor.run();
		}
		else {
			this.tasks.remove().run();
		}
	}

	@Override
	public void release(List<BufferedJob> jobs) {
		throw new AssertionError("No job is released");
	}

	@Override
	public void capacityFreed() {
		assertThat(this.executors.all()).extracting(QueueExecutor::queue).containsExactly("emails");
	}

}
