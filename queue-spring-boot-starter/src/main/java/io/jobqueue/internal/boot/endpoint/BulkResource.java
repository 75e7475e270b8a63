package io.jobqueue.internal.boot.endpoint;

import io.jobqueue.BulkOperations;
import io.jobqueue.JobQuery;

/**
 * The paths that change all jobs of a query.
 */
final class BulkResource {

	private final BulkOperations operations;

	BulkResource(BulkOperations operations) {
		this.operations = operations;
	}

	Object run(String operation, RequestParameters parameters, ValueSanitizer sanitizer) {
		sanitizer.requireShownForSearch(parameters);
		return ResponseBody.ofOperation(operation, switch (operation) {
			case "retry" -> this.operations.retry(QueryParameters.ofBulk(parameters));
			case "replay" -> this.operations.replay(QueryParameters.ofBulk(parameters));
			case "cancel" -> this.operations.cancel(QueryParameters.ofBulk(parameters));
			case "delete" -> this.operations.delete(QueryParameters.ofBulk(parameters));
			case "reschedule" -> reschedule(parameters);
			case "reprioritise" -> reprioritise(parameters);
			default -> throw new IllegalArgumentException(
					"Unknown bulk operation '%s': use one of retry, replay, cancel, delete, reschedule, reprioritise"
						.formatted(operation));
		});
	}

	private long reschedule(RequestParameters parameters) {
		JobQuery query = QueryParameters.ofBulk(parameters, "runAt");
		return this.operations.reschedule(query, parameters.required("runAt", ParameterType.TIME));
	}

	private long reprioritise(RequestParameters parameters) {
		JobQuery query = QueryParameters.ofBulk(parameters, "priority");
		return this.operations.reprioritise(query, parameters.required("priority", ParameterType.PRIORITY));
	}

}
