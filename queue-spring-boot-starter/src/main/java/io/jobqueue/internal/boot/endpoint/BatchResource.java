package io.jobqueue.internal.boot.endpoint;

import java.util.UUID;

import io.jobqueue.BatchDetails;
import io.jobqueue.BatchInfo;
import io.jobqueue.JobOperations;

/**
 * The paths of batches: lists unfinished ones, at most 1,000, and shows one.
 */
final class BatchResource {

	private final JobOperations operations;

	BatchResource(JobOperations operations) {
		this.operations = operations;
	}

	Object list(RequestParameters parameters, ValueSanitizer sanitizer) {
		parameters.requireOnly();
		return ResponseBody.of("batches",
				this.operations.batches().stream().map((batch) -> describe(batch, sanitizer)).toList());
	}

	Object show(String id, RequestParameters parameters, ValueSanitizer sanitizer) {
		parameters.requireOnly();
		UUID batch = ParameterType.id(id);
		return this.operations.batch(batch)
			.<Object>map((found) -> describe(found, sanitizer))
			.orElseGet(() -> ErrorResponses.unknown("There is no batch %s".formatted(batch)));
	}

	private static ResponseBody describe(BatchDetails batch, ValueSanitizer sanitizer) {
		BatchInfo members = batch.info();
		return ResponseBody.of("id", batch.id())
			.with("name", sanitizer.text(batch.name()))
			.with("startedAt", batch.startedAt())
			.with("sealedAt", batch.sealedAt())
			.with("finishedAt", batch.finishedAt())
			.with("total", members.total())
			.with("succeeded", members.succeeded())
			.with("dead", members.dead())
			.with("cancelled", members.cancelled());
	}

}
