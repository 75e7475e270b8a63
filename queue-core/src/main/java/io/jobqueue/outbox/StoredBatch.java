package io.jobqueue.outbox;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

import io.jobqueue.Batch;
import io.jobqueue.BatchInfo;
import io.jobqueue.JobReceipt;

/**
 * A batch in the database.
 */
record StoredBatch(UUID id, Outbox outbox) implements Batch {

	@Override
	public List<JobReceipt> add(Collection<?> requestsOrPayloads) {
		return this.outbox.add(this.id, requestsOrPayloads);
	}

	@Override
	public void seal() {
		this.outbox.seal(this.id);
	}

	@Override
	public BatchInfo info() {
		return this.outbox.info(this.id);
	}

	@Override
	public String toString() {
		return "Batch[%s]".formatted(this.id);
	}

}
