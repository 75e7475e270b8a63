package io.jobqueue.docs;

import java.util.List;

import org.springframework.stereotype.Component;

import io.jobqueue.GroupProgress;
import io.jobqueue.JobHandler;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.JobState;

/**
 * Imports customers, but for the odd ones.
 */
@Component
class Customers {

	private final JobQueue jobQueue;

	private final JobOperations operations;

	Customers(JobQueue jobQueue, JobOperations operations) {
		this.jobQueue = jobQueue;
		this.operations = operations;
	}

	void importAll(List<Long> customers) {
		this.jobQueue.enqueueAll(customers.stream()
			.map((customer) -> JobRequest.of(new CustomerImport(customer)).group("import-2026-11"))
			.toList());
	}

	String progress() {
		GroupProgress progress = this.operations.groupProgress("customers", "import-2026-11");
		return "%d of %d, %d dead".formatted(progress.finished(), progress.total(), progress.count(JobState.DEAD));
	}

	@JobHandler
	JobResult run(CustomerImport wanted) {
		return (wanted.customer() % 2 == 0) ? JobResult.success() : JobResult.fail("odd");
	}

}
