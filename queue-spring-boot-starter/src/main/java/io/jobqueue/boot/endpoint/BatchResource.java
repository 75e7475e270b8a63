package io.jobqueue.boot.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.jobqueue.BatchDetails;
import io.jobqueue.JobOperations;

/**
 * The paths of batches: lists unfinished ones, and shows one.
 */
final class BatchResource {

	private final JobOperations operations;

	BatchResource(JobOperations operations) {
		this.operations = operations;
	}

	Object list(RequestParameters parameters, ValueSanitizer sanitizer) {
		parameters.requireOnly();
		return new BatchesDescriptor(
				this.operations.batches().stream().map((batch) -> BatchDescriptor.of(batch, sanitizer)).toList());
	}

	Object show(String id, RequestParameters parameters, ValueSanitizer sanitizer) {
		parameters.requireOnly();
		UUID batch = ParameterType.id(id);
		return this.operations.batch(batch)
			.<Object>map((found) -> BatchDescriptor.of(found, sanitizer))
			.orElseGet(() -> ErrorResponses.unknown("There is no batch %s".formatted(batch)));
	}

	/**
	 * The batches that have not finished.
	 *
	 * @param batches the batches, at most 1,000
	 */
	record BatchesDescriptor(List<BatchDescriptor> batches) implements OperationResponseBody {
	}

	/**
	 * A batch, as {@link BatchDetails} has it.
	 *
	 * @param id its id
	 * @param name its name, hidden from unauthorized users
	 * @param startedAt when it was started
	 * @param sealedAt when it was sealed
	 * @param finishedAt when it finished
	 * @param total the number of members
	 * @param succeeded the members that have succeeded
	 * @param dead the members that are dead
	 * @param cancelled the members that were cancelled or deleted
	 */
	record BatchDescriptor(UUID id, @Nullable String name, Instant startedAt, @Nullable Instant sealedAt,
			@Nullable Instant finishedAt, long total, long succeeded, long dead,
			long cancelled) implements OperationResponseBody {

		static BatchDescriptor of(BatchDetails batch, ValueSanitizer sanitizer) {
			return new BatchDescriptor(batch.id(), sanitizer.text(batch.name()), batch.startedAt(), batch.sealedAt(),
					batch.finishedAt(), batch.info().total(), batch.info().succeeded(), batch.info().dead(),
					batch.info().cancelled());
		}

	}

}
