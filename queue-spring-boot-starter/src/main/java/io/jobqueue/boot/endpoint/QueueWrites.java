package io.jobqueue.boot.endpoint;

import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobOperations;
import io.jobqueue.JobQuery;

/**
 * Pauses, resumes and clears queues.
 */
final class QueueWrites {

	private final JobOperations operations;

	private final Predicate<String> declared;

	/**
	 * Create it.
	 * @param declared whether this application or a living worker declares a queue
	 */
	QueueWrites(JobOperations operations, Predicate<String> declared) {
		this.operations = operations;
		this.declared = declared;
	}

	Object run(String operation, String queue, Arguments arguments) {
		return switch (operation) {
			case "pause" -> pause(queue, type(arguments));
			case "resume" -> resume(queue, type(arguments));
			case "clear" -> clear(queue, arguments);
			default -> throw new IllegalArgumentException(
					"Unknown queue operation '%s': use one of pause, resume, clear".formatted(operation));
		};
	}

	private static @Nullable String type(Arguments arguments) {
		arguments.requireOnly("type");
		return arguments.text("type");
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

	private OperationDescriptor clear(String queue, Arguments arguments) {
		arguments.requireOnly();
		return OperationDescriptor.ofClear(queue, this.operations.clear(queue));
	}

	private boolean isKnown(String queue) {
		return this.declared.test(queue)
				|| !this.operations.list(JobQuery.all().queue(queue).limit(1)).jobs().isEmpty();
	}

}
