package io.jobqueue.internal.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.worker.Heartbeat;
import io.jobqueue.internal.worker.WorkerRuntime;
import io.jobqueue.internal.worker.execution.BufferedJob;
import io.jobqueue.internal.worker.execution.JobSink;
import io.jobqueue.internal.worker.execution.JobSink.Capacity;

/**
 * Passes claimed jobs of any type to the targets of their queues. A queue whose target
 * has no capacity is not claimed from, and delays no other queue.
 */
final class RelaySink implements JobSink {

	/**
	 * The maximum number of jobs of a claim.
	 */
	static final int MAX_CLAIM = 1_000;

	private final WorkerRuntime runtime;

	private final Map<String, RelayTarget> targets;

	private final Set<RelayedJob> open = ConcurrentHashMap.newKeySet();

	private final Heartbeat heartbeat;

	private volatile boolean closed;

	RelaySink(WorkerRuntime runtime, Map<String, RelayTarget> targets, Heartbeat heartbeat) {
		this.runtime = runtime;
		this.targets = targets;
		this.heartbeat = heartbeat;
	}

	/**
	 * Return the jobs that are being sent.
	 */
	Set<RelayedJob> open() {
		return this.open;
	}

	@Override
	public boolean sharesBacklog() {
		return true;
	}

	@Override
	public List<Map<String, Capacity>> reserve(Predicate<String> permitted) {
		List<Map<String, Capacity>> capacities = new ArrayList<>();
		this.targets.forEach((queue, target) -> {
			int jobs = Math.min(target.capacity(), MAX_CLAIM);
			if (jobs > 0 && permitted.test(queue)) {
				capacities.add(Map.of(queue, Capacity.of(jobs, 0)));
			}
		});
		return capacities;
	}

	@Override
	public ClaimRequest withinBytes(ClaimRequest request) {
		return request.within(request.quota(), target(request.queue()).bytes());
	}

	private RelayTarget target(String queue) {
		return Objects.requireNonNull(this.targets.get(queue));
	}

	@Override
	public boolean take(String queue, ClaimResult claimed, long since) {
		if (this.closed) {
			return false;
		}
		if (claimed.refused()) {
			this.heartbeat.run();
		}
		List<RelayedJob> jobs = new ArrayList<>(claimed.jobs().size());
		for (BufferedJob job : BufferedJob.of(claimed, since)) {
			begin(job, jobs);
		}
		if (!jobs.isEmpty()) {
			target(queue).send(jobs);
		}
		return true;
	}

	/**
	 * A job whose cancellation was requested is cancelled by its release.
	 */
	private void begin(BufferedJob buffered, List<RelayedJob> jobs) {
		RelayedJob job = new RelayedJob(buffered, this.runtime, this.open);
		if (this.heartbeat.cancels().include(job.job())) {
			job.release();
		}
		else {
			this.runtime.jobLogger().begins(job.job(), buffered.waited());
			jobs.add(job);
		}
	}

	/**
	 * Accept no further jobs: those of a claim that is under way are released.
	 */
	void close() {
		this.closed = true;
	}

}
