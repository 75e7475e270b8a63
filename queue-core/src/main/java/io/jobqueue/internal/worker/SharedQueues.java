package io.jobqueue.internal.worker;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.logging.LogText;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.store.ClusterLimits.Rate;
import io.jobqueue.internal.store.WorkerStore;
import io.jobqueue.internal.store.WorkerStore.DifferingWorker;
import io.jobqueue.internal.store.WorkerStore.Worker;

/**
 * Logs a warning, once for each queue, if the limits of a queue differ between live
 * workers: they are enforced only if all nodes have the same limits. Another one, also
 * once, if workers of two applications serve a queue. A worker compares itself with the
 * others when it registers and when its queues or limits change.
 */
final class SharedQueues {

	private static final Logger logger = LoggerFactory.getLogger(SharedQueues.class);

	private static final String NONE = "none";

	private final WorkerStore store;

	private final Set<String> warned = new HashSet<>();

	private final Set<String> sharedByApplications = new HashSet<>();

	SharedQueues(WorkerStore store) {
		this.store = store;
	}

	/**
	 * Return the limits of queues as text. Queues without limits are left out.
	 */
	static String limits(Collection<String> queues, Function<String, QueueSettings> settings) {
		Map<String, String> limits = new TreeMap<>();
		queues.forEach((queue) -> {
			List<String> own = limits(settings.apply(queue));
			if (!own.isEmpty()) {
				limits.put(queue, String.join(", ", own));
			}
		});
		return limits.entrySet()
			.stream()
			.map((queue) -> queue.getKey() + ": " + queue.getValue())
			.collect(Collectors.joining("; "));
	}

	private static List<String> limits(QueueSettings settings) {
		List<String> limits = new ArrayList<>();
		if (settings.limits().concurrency() != null) {
			limits.add("cluster-concurrency " + settings.limits().concurrency());
		}
		Rate rate = settings.limits().rate();
		if (rate != null) {
			limits.add("rate %s per %s".formatted(rate.limit(), DurationText.of(rate.period())));
		}
		if (settings.keys().concurrency() != null) {
			limits.add("concurrency-per-key " + settings.keys().concurrency());
		}
		if (settings.keys().deadHeadHolds()) {
			limits.add("dead-head hold");
		}
		if (settings.probeRetries()) {
			limits.add("probe-retries true");
		}
		return limits;
	}

	/**
	 * Compare a worker with the others. A failure is only logged.
	 */
	void compare(Worker worker) {
		try {
			List<DifferingWorker> others = this.store.differing(worker);
			Map<String, String> own = parse(worker.limits());
			worker.queues().forEach((queue) -> {
				compare(worker.name(), queue, own.getOrDefault(queue, NONE), others);
				compareApplications(worker, queue, others);
			});
		}
		catch (RuntimeException ex) {
			logger.debug("Could not read the queues of other workers", ex);
		}
	}

	private void compare(String name, String queue, String own, List<DifferingWorker> others) {
		List<DifferingWorker> differing = others.stream()
			.filter((other) -> other.queues().contains(queue))
			.filter((other) -> !of(other, queue).equals(own))
			.toList();
		if (!differing.isEmpty() && this.warned.add(queue)) {
			String further = (differing.size() > 1) ? " and on " + LogText.counted(differing.size() - 1, "other worker")
					: "";
			logger.atWarn()
				.addKeyValue("job.queue", queue)
				.log("The limits of queue {} differ: {} on this worker, {}, but {} on {}{}. They are enforced only if all nodes have the same limits: configure the same values on all nodes",
						queue, own, LogText.escaped(name), of(differing.get(0), queue),
						LogText.escaped(differing.get(0).name()), further);
		}
	}

	private void compareApplications(Worker worker, String queue, List<DifferingWorker> others) {
		others.stream()
			.filter((other) -> other.queues().contains(queue) && isOfAnother(worker, other))
			.findFirst()
			.filter((other) -> this.sharedByApplications.add(queue))
			.ifPresent((other) -> logger.atWarn()
				.addKeyValue("job.queue", queue)
				.log("Queue {} is served by two applications, '{}' on this worker, {}, and '{}' on {}: each runs jobs of the other if the names of their types are equal. Give each application queues or a schema (jobqueue.jdbc.schema) of its own",
						queue, LogText.escaped(String.valueOf(worker.application())), LogText.escaped(worker.name()),
						LogText.escaped(String.valueOf(other.application())), LogText.escaped(other.name())));
	}

	private static boolean isOfAnother(Worker worker, DifferingWorker other) {
		return worker.application() != null && other.application() != null
				&& !other.application().equals(worker.application());
	}

	private static String of(DifferingWorker worker, String queue) {
		return parse(worker.limits()).getOrDefault(queue, NONE);
	}

	private static Map<String, String> parse(String text) {
		Map<String, String> limits = new HashMap<>();
		for (String queue : text.split("; ", -1)) {
			int colon = queue.indexOf(": ");
			if (colon > 0) {
				limits.put(queue.substring(0, colon), queue.substring(colon + 2));
			}
		}
		return limits;
	}

}
