package io.jobqueue.internal.worker.execution;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.worker.execution.JobSink.Capacity;

/**
 * The executors of a worker.
 */
public final class QueueExecutors implements JobSink {

	private final Map<String, QueueExecutor> byQueue = new ConcurrentHashMap<>();

	private final Function<String, QueueExecutor> newExecutor;

	private boolean closed;

	/**
	 * Create the executors of one worker.
	 * @param newExecutor creates the executor of a queue
	 */
	public QueueExecutors(Function<String, QueueExecutor> newExecutor) {
		this.newExecutor = newExecutor;
	}

	/**
	 * Create executors for queues that have none, and remove unused executors of other
	 * queues. An executor with waiting or running jobs stays: its queue may be served
	 * again, and its handlers count towards the concurrency.
	 * @param queues the names of the queues to serve
	 */
	public synchronized void serve(Set<String> queues) {
		if (!this.closed) {
			queues.forEach((queue) -> this.byQueue.computeIfAbsent(queue, this.newExecutor));
			this.byQueue.values()
				.removeIf((executor) -> !queues.contains(executor.queue()) && executor.closeIfUnused());
		}
	}

	/**
	 * Close all executors and create no further ones.
	 * @return the jobs that had not begun
	 */
	public synchronized List<BufferedJob> close() {
		this.closed = true;
		return all().stream().flatMap((executor) -> executor.close().stream()).toList();
	}

	/**
	 * Return the queues that have an executor.
	 * @return their names
	 */
	public Set<String> queues() {
		return this.byQueue.keySet();
	}

	/**
	 * Return all executors.
	 * @return the executors
	 */
	public Collection<QueueExecutor> all() {
		return this.byQueue.values();
	}

	@Override
	public boolean sharesBacklog() {
		return true;
	}

	@Override
	public void expect(Tier tier) {
		QueueExecutor executor = this.byQueue.get(tier.queue());
		if (executor != null) {
			executor.expect(tier.priority());
		}
	}

	@Override
	public ClaimRequest withinBytes(ClaimRequest request) {
		QueueExecutor executor = this.byQueue.get(request.queue());
		return (executor != null) ? request.within(request.quota(), executor.bytesLeft()) : request;
	}

	@Override
	public void expectMore() {
		all().forEach(QueueExecutor::expectMore);
	}

	@Override
	public List<Map<String, Capacity>> reserve(Predicate<String> permitted) {
		List<Map<String, Capacity>> capacities = new ArrayList<>();
		for (QueueExecutor executor : all()) {
			Capacity capacity = permitted.test(executor.queue()) ? executor.reserve() : Capacity.NONE;
			if (capacity.total() > 0) {
				capacities.add(Map.of(executor.queue(), capacity));
			}
		}
		return capacities;
	}

	/**
	 * Start more handlers in executors whose waiting jobs are not taken.
	 * @return {@code true} if the next check is due after
	 * {@link RunTimeEstimate#DRAIN_TIME}
	 */
	public boolean startMoreThreads() {
		boolean more = false;
		for (QueueExecutor executor : all()) {
			more |= executor.startMoreThreads();
		}
		return more;
	}

	/**
	 * Return whether each executor has a free handler and memory for another job.
	 * @return {@code true} if each executor is idle
	 */
	public boolean areIdle() {
		return all().stream().allMatch(QueueExecutor::isIdle);
	}

	/**
	 * Return the queues that take no further jobs because too many handlers are stuck.
	 * @return the names of the queues
	 */
	public Set<String> halted() {
		return all().stream().filter(QueueExecutor::isHalted).map(QueueExecutor::queue).collect(Collectors.toSet());
	}

	/**
	 * Return the number of stuck handlers of each queue that has any.
	 * @return the numbers by queue
	 */
	public Map<String, Integer> stuck() {
		Map<String, Integer> stuck = new TreeMap<>();
		all().forEach((executor) -> stuck.put(executor.queue(), executor.stuck()));
		stuck.values().removeIf((handlers) -> handlers == 0);
		return stuck;
	}

	@Override
	public boolean take(String queue, ClaimResult claimed, long since) {
		QueueExecutor executor = this.byQueue.get(queue);
		return executor != null
				&& executor.take(BufferedJob.of(claimed, since), claimed.mayBeMore(), !claimed.withheld().isEmpty());
	}

	@Override
	public void claimsEnded() {
		all().forEach(QueueExecutor::claimEnded);
	}

	@Override
	public boolean offer(String queue, Runnable claim) {
		QueueExecutor executor = this.byQueue.get(queue);
		return executor != null && executor.offer(claim);
	}

	@Override
	public boolean isWithholding(String queue) {
		QueueExecutor executor = this.byQueue.get(queue);
		return executor != null && executor.isWithholding();
	}

	@Override
	public Duration limit(Duration pause) {
		return (startMoreThreads() && pause.compareTo(RunTimeEstimate.DRAIN_TIME) > 0) ? RunTimeEstimate.DRAIN_TIME
				: pause;
	}

	/**
	 * Return the runs whose handlers run and were not replaced.
	 * @return the runs
	 */
	public List<HandlerExecution> executions() {
		return all().stream().flatMap((executor) -> executor.executions().stream()).toList();
	}

	/**
	 * Return the executions of all jobs that these runs handle.
	 * @return the executions
	 */
	public List<HandlerExecution> jobs() {
		return executions().stream().flatMap((execution) -> execution.call().stream()).toList();
	}

	/**
	 * Return all jobs whose handlers have not ended, including stuck ones that were
	 * replaced.
	 * @return the jobs
	 */
	public List<RunningJob> running() {
		return all().stream()
			.flatMap((executor) -> executor.unended().stream())
			.flatMap((execution) -> execution.call().stream())
			.map(JobExecution::running)
			.toList();
	}

	/**
	 * Replace the handlers that end the JVM or its application, so that
	 * {@link #awaitIdle} does not wait for them: they wait for the end of the stop.
	 * @return their runs
	 */
	public List<HandlerExecution> replaceExiting() {
		return all().stream().flatMap((executor) -> executor.replaceExiting().stream()).toList();
	}

	/**
	 * Wait until no handler is active. Stuck handlers that were replaced do not count.
	 * @param atMost the longest time to wait
	 * @return {@code true} if no handler is active
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean awaitIdle(Duration atMost) throws InterruptedException {
		long deadline = System.nanoTime() + atMost.toNanos();
		boolean idle = true;
		for (QueueExecutor executor : all()) {
			idle &= executor.awaitIdle(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
		}
		return idle;
	}

}
