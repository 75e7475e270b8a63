package io.jobqueue.boot.endpoint;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.jobqueue.JobPage;

/**
 * A page of jobs.
 *
 * @param jobs the jobs
 * @param next where the next page begins, {@code null} if there is none
 * @param partial whether the search took too long
 */
record JobPageDescriptor(List<JobDescriptor> jobs, @Nullable String next,
		boolean partial) implements OperationResponseBody {

	static JobPageDescriptor of(JobPage page, Values values) {
		return new JobPageDescriptor(page.jobs().stream().map((job) -> JobDescriptor.of(job, values)).toList(),
				page.next(), page.partial());
	}

}
