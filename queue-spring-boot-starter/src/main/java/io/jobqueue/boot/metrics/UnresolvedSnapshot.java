package io.jobqueue.boot.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.store.MonitoringStore.DeadJobs;
import io.jobqueue.store.MonitoringStore.Unresolved;

/**
 * What does not end without an operator.
 *
 * @param dead the number of dead jobs of queues and priority classes
 * @param otherDead that of all others
 * @param waiting the number of jobs of queues that wait for a failed predecessor
 * @param otherWaiting that of all others
 * @param oldestBatch the age of the oldest open batch, in seconds
 */
record UnresolvedSnapshot(Map<QueueClass, Double> dead, double otherDead, Map<String, Double> waiting,
		double otherWaiting, double oldestBatch) {

	static final UnresolvedSnapshot UNKNOWN = new UnresolvedSnapshot(Map.of(), Double.NaN, Map.of(), Double.NaN,
			Double.NaN);

	/**
	 * Queues that were not read completely are unknown, unless a part of their jobs was
	 * counted.
	 */
	static UnresolvedSnapshot of(@Nullable Unresolved counts, Set<String> declared) {
		if (counts == null) {
			return UNKNOWN;
		}
		Function<String, String> tag = (queue) -> declared.contains(queue) ? queue : DeclaredNames.OTHER;
		return new UnresolvedSnapshot(dead(counts, tag), counts.allDead() ? 0 : Double.NaN, waiting(counts, tag),
				counts.allWaiting() ? 0 : Double.NaN, Seconds.of(counts.oldestBatch()));
	}

	private static Map<QueueClass, Double> dead(Unresolved counts, Function<String, String> tag) {
		return counts.dead()
			.stream()
			.collect(Collectors.toMap((jobs) -> of(jobs, tag), (jobs) -> (double) jobs.jobs(), Double::sum));
	}

	private static QueueClass of(DeadJobs jobs, Function<String, String> tag) {
		return new QueueClass(tag.apply(jobs.tier().queue()), Priority.of(jobs.tier().priority()).priorityClass());
	}

	private static Map<String, Double> waiting(Unresolved counts, Function<String, String> tag) {
		Map<String, Double> waiting = new HashMap<>();
		counts.waiting().forEach((queue, jobs) -> waiting.merge(tag.apply(queue), (double) jobs, Double::sum));
		return waiting;
	}

	double dead(String queue, PriorityClass priority) {
		return this.dead.getOrDefault(new QueueClass(queue, priority), this.otherDead);
	}

	double waiting(String queue) {
		return this.waiting.getOrDefault(queue, this.otherWaiting);
	}

}
