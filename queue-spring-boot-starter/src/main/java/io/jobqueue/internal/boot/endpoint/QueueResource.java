package io.jobqueue.internal.boot.endpoint;

import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.jobqueue.GroupProgress;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQuery;
import io.jobqueue.JobStats;
import io.jobqueue.QueuePause;

/**
 * The paths of queues and groups: counts their jobs, shows pauses, pauses, resumes and
 * clears queues.
 */
final class QueueResource {

	/**
	 * Maximum number of queues and of pauses in a response.
	 */
	private static final int MAX_ROWS = 1_000;

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
		return overview(this.operations.stats(), this.operations.pauses());
	}

	static ResponseBody overview(JobStats stats, List<QueuePause> pauses) {
		ResponseBody queues = new ResponseBody();
		new TreeMap<>(stats.queues()).entrySet()
			.stream()
			.limit(MAX_ROWS)
			.forEach((queue) -> queues.put(queue.getKey(), counts(queue.getValue())));
		return counts(stats).with("queues", queues)
			.with("partial", stats.partial() || stats.queues().size() > MAX_ROWS)
			.with("pauses", pauses.stream().limit(MAX_ROWS).toList());
	}

	/**
	 * Return the numbers of the states that have jobs, and the states that may have more.
	 */
	private static ResponseBody counts(JobStats stats) {
		return ResponseBody.of("jobs", new TreeMap<>(stats.counts()))
			.with("capped", stats.capped().stream().sorted().toList());
	}

	Object show(String queue, RequestParameters parameters) {
		parameters.requireOnly();
		List<QueuePause> pauses = this.operations.pauses()
			.stream()
			.filter((pause) -> pause.queue().equals(queue))
			.limit(MAX_ROWS)
			.toList();
		return counts(this.operations.stats(queue)).with("pauses", pauses);
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

	private static ResponseBody describe(GroupProgress progress) {
		return ResponseBody.of("jobs", new TreeMap<>(progress.counts()))
			.with("total", progress.total())
			.with("finished", progress.finished());
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

	private ResponseBody pause(String queue, @Nullable String type) {
		if (type != null) {
			this.operations.pause(queue, type);
		}
		else {
			this.operations.pause(queue);
		}
		return done("pause", queue, type);
	}

	private ResponseBody resume(String queue, @Nullable String type) {
		if (type != null) {
			this.operations.resume(queue, type);
		}
		else {
			this.operations.resume(queue);
		}
		return done("resume", queue, type);
	}

	private ResponseBody done(String operation, String queue, @Nullable String type) {
		return ResponseBody.of("operation", operation)
			.with("queue", queue)
			.with("type", type)
			.with("known", isKnown(queue));
	}

	private ResponseBody clear(String queue, RequestParameters parameters) {
		parameters.requireOnly();
		return ResponseBody.ofOperation("clear", this.operations.clear(queue)).with("queue", queue);
	}

	/**
	 * Return whether the queue has jobs, a handler here, or a living worker.
	 */
	private boolean isKnown(String queue) {
		return this.declared.test(queue)
				|| !this.operations.list(JobQuery.all().queue(queue).limit(1)).jobs().isEmpty();
	}

}
