package io.jobqueue.benchmark.nodes;

import java.io.IOException;
import java.time.Duration;

import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.ManyQueues;
import io.jobqueue.benchmark.subject.NoOps;
import io.jobqueue.benchmark.subject.Statements;

/**
 * Counts what idle worker processes send that only poll: by the number of processes, and
 * by the number of their queues.
 */
final class IdleNodes {

	private static final String POLLING = "jobqueue.worker.wake-up=polling";

	private static final String QUEUES = "jobqueue.worker.queues=";

	private static final int SETTLING_MILLIS = 15_000;

	private static final int COUNTING_MILLIS = 60_000;

	private final Workbench workbench;

	IdleNodes(Workbench workbench) {
		this.workbench = workbench;
	}

	Result addTo(Result result, int... processes) throws Exception {
		this.workbench.database().removeJobs();
		return byQueues(byProcesses(result, processes));
	}

	private Result byProcesses(Result result, int... processes) throws Exception {
		Result more = result;
		double most = 0;
		try (WorkerNodes nodes = nodes(processes[processes.length - 1], NoOps.QUEUE)) {
			for (int count : processes) {
				Statements statements = nodes.idle(count, this::count);
				most = Math.max(most, statements.looks());
				more = more.with("looks_" + count, statements.looks()).with("idle_" + count, statements.all());
			}
		}
		return more.with("looks_by_processes", most / more.figure("looks_1"));
	}

	private Result byQueues(Result result) throws Exception {
		try (WorkerNodes nodes = nodes(1, ManyQueues.names(ManyQueues.COUNT))) {
			Statements statements = nodes.idle(1, this::count);
			return result.with("looks_20_queues", statements.looks())
				.with("looks_by_queues", statements.looks() / result.figure("looks_1"));
		}
	}

	private WorkerNodes nodes(int count, String queues) throws IOException {
		return new WorkerNodes(this.workbench.database(), count, POLLING, ManyQueues.WANTED, ManyQueues.QUIET,
				QUEUES + queues);
	}

	private Statements count() throws InterruptedException {
		Thread.sleep(this.workbench.scaled(SETTLING_MILLIS));
		return Statements.during(this.workbench.database(), Duration.ofMillis(this.workbench.scaled(COUNTING_MILLIS)));
	}

}
