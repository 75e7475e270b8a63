package io.jobqueue.boot.endpoint;

import java.util.UUID;

import io.jobqueue.JobInfo;
import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperations;

/**
 * Shows jobs.
 */
final class JobReads {

	private final JobOperations operations;

	JobReads(JobOperations operations) {
		this.operations = operations;
	}

	Object list(Arguments arguments, Values values) {
		values.requireShownFor(arguments, Values.SEARCHED);
		return JobPageDescriptor.of(this.operations.list(Queries.ofPage(arguments)), values);
	}

	Object show(String id, Arguments arguments, Values values) {
		arguments.requireOnly();
		UUID job = ArgumentType.id(id);
		return this.operations.find(job)
			.map((found) -> describe(found, values))
			.orElseThrow(() -> JobOperationException.unknown(job));
	}

	/**
	 * Keys may contain what no path can.
	 */
	Object showByKey(String queue, Arguments arguments, Values values) {
		arguments.requireOnly("key");
		values.requireShownFor(arguments, "key");
		return this.operations.findByKey(queue, arguments.requiredText("key"))
			.<Object>map((found) -> describe(found, values))
			.orElseGet(() -> Failures.unknown("No unfinished job of queue '%s' has this key".formatted(queue)));
	}

	private JobDescriptor describe(JobInfo job, Values values) {
		return JobDescriptor.of(job,
				JobDetailsDescriptor.of(job, this.operations.payload(job.id()).orElse(null), values), values);
	}

}
