package io.jobqueue.docs;

import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

import io.jobqueue.JobContext;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;

/**
 * Runs each job for the tenant that enqueued it.
 */
@Component
@Order(1)
class Tenants implements JobInterceptor {

	@Override
	public List<JobReceipt> aroundEnqueue(List<JobRequest> requests,
			Function<List<JobRequest>, List<JobReceipt>> next) {
		String tenant = Tenant.current();
		if (tenant == null) {
			throw new JobRejectedException("tenant", "is missing");
		}
		return next.apply(requests.stream().map((request) -> request.header("tenant", tenant)).toList());
	}

	@Override
	public JobResult aroundRun(JobContext job, Callable<JobResult> next) throws Exception {
		return Tenant.callAs(job.headers().get("tenant"), next);
	}

	@Override
	public List<JobResult> aroundBatch(List<JobContext> jobs, Callable<List<JobResult>> next) throws Exception {
		Set<String> tenants = jobs.stream().map((job) -> job.headers().get("tenant")).collect(Collectors.toSet());
		if (tenants.size() > 1) {
			throw new IllegalStateException("The jobs are of several tenants");
		}
		return Tenant.callAs(tenants.iterator().next(), next);
	}

}
