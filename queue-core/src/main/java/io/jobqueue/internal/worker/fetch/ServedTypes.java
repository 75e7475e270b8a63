package io.jobqueue.internal.worker.fetch;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;

import io.jobqueue.Delivery;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.policy.WorkerSettings;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimRequest.AttemptLimits;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.PauseTarget;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.worker.execution.JobSink.Capacity;

/**
 * A snapshot of the types for which a worker has handlers.
 *
 * @param all the names of the types for each queue, or {@link ClaimRequest#ANY_TYPE}
 * @param once the names of the types that are delivered at most once, for each queue
 * @param options the attempt options of the handlers, by queue and type
 */
public record ServedTypes(Map<String, Set<String>> all, Map<String, Set<String>> once,
		Map<String, Map<String, AttemptOptions>> options) {

	/**
	 * Create types whose handlers have no options.
	 * @param all the names of the types for each queue
	 * @param once the types that are delivered at most once, for each queue
	 */
	public ServedTypes(Map<String, Set<String>> all, Map<String, Set<String>> once) {
		this(all, once, Map.of());
	}

	/**
	 * Return the types that have handlers.
	 * @param handlers the handlers
	 * @param queues tests the name of a queue to serve
	 * @return the types
	 */
	public static ServedTypes of(JobHandlers handlers, Predicate<String> queues) {
		Map<String, Set<String>> all = new TreeMap<>();
		Map<String, Set<String>> once = new TreeMap<>();
		Map<String, Map<String, AttemptOptions>> options = new TreeMap<>();
		handlers.typesByQueue().forEach((queue, types) -> {
			if (queues.test(queue)) {
				all.put(queue, types);
				Set<String> known = new TreeSet<>(handlers.types(queue, Delivery.AT_MOST_ONCE));
				known.retainAll(types);
				once.put(queue, known);
				options.put(queue, handlers.options(queue));
			}
		});
		return new ServedTypes(all, once, options);
	}

	/**
	 * Return all types of some queues, without options and delivered at least once.
	 * @param queues the names of the queues
	 * @return the types
	 */
	public static ServedTypes ofAny(Collection<String> queues) {
		Map<String, Set<String>> all = new TreeMap<>();
		queues.forEach((queue) -> all.put(queue, Set.of(ClaimRequest.ANY_TYPE)));
		return new ServedTypes(all, Map.of());
	}

	/**
	 * Return a single type.
	 * @param handlers the handlers
	 * @param queue its queue
	 * @param type its name
	 * @return the type
	 */
	public static ServedTypes of(JobHandlers handlers, String queue, String type) {
		boolean once = handlers.types(queue, Delivery.AT_MOST_ONCE).contains(type);
		return new ServedTypes(Map.of(queue, Set.of(type)), Map.of(queue, once ? Set.of(type) : Set.of()),
				Map.of(queue, handlers.options(queue)));
	}

	/**
	 * Return a copy without paused queues and types.
	 * @param paused the paused queues and types
	 * @return a copy
	 */
	public ServedTypes without(Set<PauseTarget> paused) {
		Map<String, Set<String>> rest = new TreeMap<>();
		this.all.forEach((queue, types) -> {
			Set<String> left = new TreeSet<>(types);
			left.removeIf((type) -> isPaused(paused, queue, type));
			if (left.contains(ClaimRequest.ANY_TYPE)) {
				left.addAll(exceptions(queue, paused));
			}
			if (!left.isEmpty()) {
				rest.put(queue, left);
			}
		});
		return new ServedTypes(rest, this.once, this.options);
	}

	private static Set<String> exceptions(String queue, Set<PauseTarget> paused) {
		Set<String> exceptions = new TreeSet<>();
		paused.forEach((target) -> {
			if (target.queue().equals(queue) && target.type() != null) {
				exceptions.add(ClaimRequest.EXCEPT + target.type());
			}
		});
		return exceptions;
	}

	/**
	 * Return whether a type or its queue is paused.
	 * @param paused the paused queues and types
	 * @param queue the queue
	 * @param type the type
	 * @return {@code true} if it is paused
	 */
	public static boolean isPaused(Set<PauseTarget> paused, String queue, String type) {
		return paused.contains(new PauseTarget(queue, null)) || paused.contains(new PauseTarget(queue, type));
	}

	/**
	 * Create a request to claim jobs of a queue. It does not limit their size.
	 * @param queue the queue
	 * @param settings the settings of the queue
	 * @param claim the number of the claim
	 * @param capacity the number of jobs
	 * @param positions the tiers to claim from
	 * @return the request
	 */
	public ClaimRequest request(String queue, QueueSettings settings, long claim, Capacity capacity,
			SortedMap<Tier, JobPosition> positions) {
		return new ClaimRequest(queue, this.all.getOrDefault(queue, Set.of()), this.once.getOrDefault(queue, Set.of()),
				claim, capacity.free(), capacity.prefetch(), Long.MAX_VALUE, settings.maxAttempts(),
				settings.maxRunTime(), settings.keepDead(), positions, settings.limits(), limits(queue, settings));
	}

	/**
	 * Return the attempt limits of the types of a queue. The settings take precedence
	 * over the handlers; types without limits are left out.
	 */
	private Map<String, AttemptLimits> limits(String queue, QueueSettings settings) {
		if (settings.types().isEmpty() && declared(queue).isEmpty()) {
			return Map.of();
		}
		Map<String, AttemptLimits> limits = new TreeMap<>();
		for (String type : named(queue, settings)) {
			AttemptOptions options = optionsOf(queue, type, settings);
			if (options.maxAttempts() != null || options.maxRunTime() != null) {
				limits.put(type, new AttemptLimits(options.maxAttempts(), options.maxRunTime()));
			}
		}
		return limits;
	}

	/**
	 * Return the types that may have options.
	 */
	private Set<String> named(String queue, QueueSettings settings) {
		Set<String> types = this.all.getOrDefault(queue, Set.of());
		return types.contains(ClaimRequest.ANY_TYPE) ? settings.types().keySet() : types;
	}

	/**
	 * Return the attempt options of a type. The settings take precedence over the
	 * handler.
	 */
	AttemptOptions optionsOf(String queue, String type, QueueSettings settings) {
		return settings.ofType(type).or(declared(queue).getOrDefault(type, AttemptOptions.NONE));
	}

	private Map<String, AttemptOptions> declared(String queue) {
		return this.options.getOrDefault(queue, Map.of());
	}

	/**
	 * Return the queues with a served type.
	 * @return the queues
	 */
	public Set<String> queues() {
		return this.all.keySet();
	}

	/**
	 * Return an id that is the same for all workers that serve the same types and
	 * priorities.
	 * @param settings the settings of the worker
	 * @return the id
	 */
	public UUID service(WorkerSettings settings) {
		String served = "%s %s-%s".formatted(this.all, settings.minPriority(), settings.maxPriority());
		return UUID.nameUUIDFromBytes(served.getBytes(StandardCharsets.UTF_8));
	}

}
