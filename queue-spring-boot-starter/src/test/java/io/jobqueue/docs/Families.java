package io.jobqueue.docs;

import java.util.List;
import java.util.UUID;

import org.springframework.stereotype.Component;

import io.jobqueue.JobInfo;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQuery;

/**
 * Lists the jobs of a family.
 */
@Component
class Families {

	private final JobOperations operations;

	Families(JobOperations operations) {
		this.operations = operations;
	}

	List<String> family(UUID jobId) {
		JobInfo job = this.operations.find(jobId).orElseThrow();
		UUID root = (job.root() != null) ? job.root() : job.id();
		return this.operations.list(JobQuery.all().root(root))
			.jobs()
			.stream()
			.map((each) -> "%s enqueued by %s".formatted(each.type(), each.parent()))
			.toList();
	}

}
