package io.jobqueue.internal.operations;

import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import io.jobqueue.internal.store.ClusterLimits;

/**
 * What this node knows of queues, for explanations.
 *
 * @param handled returns the types that have a handler on this node, by queue
 * @param concurrency returns the number of handlers of a queue on this node
 * @param limits returns the limits of a queue over all workers
 */
public record LocalQueues(Supplier<Map<String, Set<String>>> handled, ToIntFunction<String> concurrency,
		Function<String, ClusterLimits> limits) {

	Set<String> types(String queue) {
		return this.handled.get().getOrDefault(queue, Set.of());
	}

}
