package io.jobqueue.boot.endpoint;

import io.jobqueue.BulkOperations;
import io.jobqueue.JobQuery;

/**
 * Changes all jobs of a query.
 */
final class BulkWrites {

	private final BulkOperations operations;

	BulkWrites(BulkOperations operations) {
		this.operations = operations;
	}

	Object run(String operation, Arguments arguments, Values values) {
		values.requireShownFor(arguments, Values.SEARCHED);
		return OperationDescriptor.ofBulk(operation, switch (operation) {
			case "retry" -> this.operations.retry(Queries.ofBulk(arguments));
			case "replay" -> this.operations.replay(Queries.ofBulk(arguments));
			case "cancel" -> this.operations.cancel(Queries.ofBulk(arguments));
			case "delete" -> this.operations.delete(Queries.ofBulk(arguments));
			case "reschedule" -> reschedule(arguments);
			case "reprioritise" -> reprioritise(arguments);
			default -> throw new IllegalArgumentException(
					"Unknown bulk operation '%s': use one of retry, replay, cancel, delete, reschedule, reprioritise"
						.formatted(operation));
		});
	}

	private long reschedule(Arguments arguments) {
		JobQuery query = Queries.ofBulk(arguments, "runAt");
		return this.operations.reschedule(query, arguments.required("runAt", ArgumentType.TIME));
	}

	private long reprioritise(Arguments arguments) {
		JobQuery query = Queries.ofBulk(arguments, "priority");
		return this.operations.reprioritise(query, arguments.required("priority", ArgumentType.PRIORITY));
	}

}
