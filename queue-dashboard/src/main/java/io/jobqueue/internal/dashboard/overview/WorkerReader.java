package io.jobqueue.internal.dashboard.overview;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.dashboard.overview.WorkerRow.RunningJob;
import io.jobqueue.internal.store.OverviewStore;
import io.jobqueue.internal.store.OverviewStore.ListedWorker;
import io.jobqueue.internal.store.OverviewStore.WorkerList;

/**
 * Reads the workers of all nodes, with the handlers that this JVM knows to hang.
 */
final class WorkerReader {

	private final OverviewStore store;

	private final Function<String, @Nullable Duration> warnAfter;

	private final String node;

	private final Supplier<Map<String, Integer>> hungHere;

	/**
	 * Create a reader.
	 * @param store reads the workers
	 * @param warnAfter returns the run time after which handlers of a queue are slow
	 * @param node the name of the worker of this JVM
	 * @param hungHere the number of handlers of each queue that hang in this JVM
	 */
	WorkerReader(OverviewStore store, Function<String, @Nullable Duration> warnAfter, String node,
			Supplier<Map<String, Integer>> hungHere) {
		this.store = store;
		this.warnAfter = warnAfter;
		this.node = node;
		this.hungHere = hungHere;
	}

	WorkerTable read() {
		WorkerList list = this.store.workers();
		return new WorkerTable(list.workers().stream().map((worker) -> row(worker, list)).toList(), list.total());
	}

	private WorkerRow row(ListedWorker worker, WorkerList list) {
		List<RunningJob> jobs = worker.longest()
			.stream()
			.map((job) -> RunningJob.of(job, this.warnAfter.apply(job.queue()), list.at()))
			.toList();
		return new WorkerRow(worker, jobs, worker.name().equals(this.node) ? this.hungHere.get() : Map.of(), list.at());
	}

}
