package io.jobqueue.internal.kafka.consume;

import com.fasterxml.jackson.annotation.JsonCreator;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandlerRegistry;
import io.jobqueue.JobResult;
import io.jobqueue.JobType;

/**
 * The payload of a record without a type, or of one that cannot be stored otherwise. Its
 * only attempt fails, so that operators find it among the dead jobs.
 */
@JobType(RecordJob.UNKNOWN)
final class UnknownRecord {

	private UnknownRecord() {
	}

	/**
	 * Read any JSON.
	 */
	@JsonCreator(mode = JsonCreator.Mode.DELEGATING)
	static UnknownRecord of(Object payload) {
		return new UnknownRecord();
	}

	static void fail(JobHandlerRegistry handlers, String queue) {
		handlers.register(queue, UnknownRecord.class, UnknownRecord::fail);
	}

	private static JobResult fail(UnknownRecord payload, JobContext job) {
		throw new IllegalStateException(
				"The record has no header 'jobqueue-type', or cannot be stored: set the type of the topic's records with 'jobqueue.kafka.consume.<topic>.type', and write it to the topic again");
	}

}
