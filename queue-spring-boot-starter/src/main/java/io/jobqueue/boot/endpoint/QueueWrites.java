package io.jobqueue.boot.endpoint;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobOperations;

/**
 * Pauses, resumes and clears queues.
 */
final class QueueWrites {

	private final JobOperations operations;

	QueueWrites(JobOperations operations) {
		this.operations = operations;
	}

	Object run(String operation, String queue, Arguments arguments) {
		return switch (operation) {
			case "pause" -> pause(queue, type(arguments));
			case "resume" -> resume(queue, type(arguments));
			case "clear" -> clear(queue, arguments);
			default -> throw new IllegalArgumentException(
					"There is no operation '%s' of a queue: it is one of pause, resume, clear".formatted(operation));
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
		return OperationDescriptor.ofQueue("pause", queue, type, null);
	}

	private OperationDescriptor resume(String queue, @Nullable String type) {
		if (type != null) {
			this.operations.resume(queue, type);
		}
		else {
			this.operations.resume(queue);
		}
		return OperationDescriptor.ofQueue("resume", queue, type, null);
	}

	private OperationDescriptor clear(String queue, Arguments arguments) {
		arguments.requireOnly();
		return OperationDescriptor.ofQueue("clear", queue, null, this.operations.clear(queue));
	}

}
