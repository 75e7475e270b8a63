package io.jobqueue.boot.endpoint;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.jobqueue.GroupProgress;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQuery;
import io.jobqueue.JobState;
import io.jobqueue.JobStats;
import io.jobqueue.QueuePause;

/**
 * The paths of queues and groups: counts their jobs, shows pauses, pauses, resumes and
 * clears queues.
 */
final class QueueResource {

	private final JobOperations operations;

	private final Predicate<String> declared;

	/**
	 * Create it.
	 * @param declared whether this application or a living worker declares a queue
	 */
	QueueResource(JobOperations operations, Predicate<String> declared) {
		this.operations = operations;
		this.declared = declared;
	}

	Object overview(RequestParameters parameters) {
		parameters.requireOnly();
		return OverviewDescriptor.of(this.operations.stats(), this.operations.pauses());
	}

	Object show(String queue, RequestParameters parameters) {
		parameters.requireOnly();
		CountsDescriptor counts = CountsDescriptor.of(this.operations.stats(queue));
		List<QueuePause> pauses = this.operations.pauses()
			.stream()
			.filter((pause) -> pause.queue().equals(queue))
			.limit(OverviewDescriptor.MAX_ROWS)
			.toList();
		return new QueueDescriptor(counts.jobs(), counts.capped(), pauses);
	}

	Object group(String queue, RequestParameters parameters, ValueSanitizer sanitizer) {
		return describe(this.operations.groupProgress(queue, name(parameters, sanitizer)));
	}

	Object group(RequestParameters parameters, ValueSanitizer sanitizer) {
		return describe(this.operations.groupProgress(name(parameters, sanitizer)));
	}

	private static String name(RequestParameters parameters, ValueSanitizer sanitizer) {
		parameters.requireOnly("name");
		sanitizer.requireShownFor(parameters, "name");
		return parameters.requiredText("name");
	}

	private static GroupDescriptor describe(GroupProgress progress) {
		return new GroupDescriptor(CountsDescriptor.sorted(progress.counts()), progress.total(), progress.finished());
	}

	Object run(String operation, String queue, RequestParameters parameters) {
		return switch (operation) {
			case "pause" -> pause(queue, type(parameters));
			case "resume" -> resume(queue, type(parameters));
			case "clear" -> clear(queue, parameters);
			default -> throw new IllegalArgumentException(
					"Unknown queue operation '%s': use one of pause, resume, clear".formatted(operation));
		};
	}

	private static @Nullable String type(RequestParameters parameters) {
		parameters.requireOnly("type");
		return parameters.text("type");
	}

	private OperationDescriptor pause(String queue, @Nullable String type) {
		if (type != null) {
			this.operations.pause(queue, type);
		}
		else {
			this.operations.pause(queue);
		}
		return OperationDescriptor.ofPause("pause", queue, type, isKnown(queue));
	}

	private OperationDescriptor resume(String queue, @Nullable String type) {
		if (type != null) {
			this.operations.resume(queue, type);
		}
		else {
			this.operations.resume(queue);
		}
		return OperationDescriptor.ofPause("resume", queue, type, isKnown(queue));
	}

	private OperationDescriptor clear(String queue, RequestParameters parameters) {
		parameters.requireOnly();
		return OperationDescriptor.ofClear(queue, this.operations.clear(queue));
	}

	private boolean isKnown(String queue) {
		return this.declared.test(queue)
				|| !this.operations.list(JobQuery.all().queue(queue).limit(1)).jobs().isEmpty();
	}

	/**
	 * Number of jobs by state.
	 *
	 * @param jobs the numbers, of states with at least one job
	 * @param capped the states that may have more jobs
	 */
	record CountsDescriptor(Map<JobState, Long> jobs, List<JobState> capped) {

		static CountsDescriptor of(JobStats stats) {
			return new CountsDescriptor(sorted(stats.counts()), stats.capped().stream().sorted().toList());
		}

		static Map<JobState, Long> sorted(Map<JobState, Long> counts) {
			Map<JobState, Long> sorted = new EnumMap<>(JobState.class);
			sorted.putAll(counts);
			return sorted;
		}

	}

	/**
	 * All queues, and the pauses.
	 *
	 * @param jobs number of jobs by state
	 * @param capped the states that may have more jobs
	 * @param queues the same for each queue that has jobs, at most 1,000
	 * @param partial whether queues are missing
	 * @param pauses the pauses, at most 1,000
	 */
	record OverviewDescriptor(Map<JobState, Long> jobs, List<JobState> capped, Map<String, CountsDescriptor> queues,
			boolean partial, List<QueuePause> pauses) implements OperationResponseBody {

		static final int MAX_ROWS = 1_000;

		static OverviewDescriptor of(JobStats stats, List<QueuePause> pauses) {
			CountsDescriptor all = CountsDescriptor.of(stats);
			return new OverviewDescriptor(all.jobs(), all.capped(), queues(stats),
					stats.partial() || stats.queues().size() > MAX_ROWS, pauses.stream().limit(MAX_ROWS).toList());
		}

		private static Map<String, CountsDescriptor> queues(JobStats stats) {
			Map<String, CountsDescriptor> queues = new TreeMap<>();
			stats.queues()
				.entrySet()
				.stream()
				.sorted(Map.Entry.comparingByKey())
				.limit(MAX_ROWS)
				.forEach((queue) -> queues.put(queue.getKey(), CountsDescriptor.of(queue.getValue())));
			return queues;
		}

	}

	/**
	 * A queue, and its pauses.
	 *
	 * @param jobs number of jobs by state
	 * @param capped the states that may have more jobs
	 * @param pauses the pauses, at most 1,000
	 */
	record QueueDescriptor(Map<JobState, Long> jobs, List<JobState> capped,
			List<QueuePause> pauses) implements OperationResponseBody {
	}

	/**
	 * Progress of a group.
	 *
	 * @param jobs number of jobs by state
	 * @param total number of jobs
	 * @param finished number of finished jobs
	 */
	record GroupDescriptor(Map<JobState, Long> jobs, long total, long finished) implements OperationResponseBody {
	}

}
