package io.jobqueue.observation;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import org.springframework.core.annotation.Order;

import io.jobqueue.JobContext;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;

/**
 * Records the calls of two ordered interceptors, which change nothing.
 */
final class InterceptorCalls {

	private final List<String> enqueues = new CopyOnWriteArrayList<>();

	private final List<String> runs = new CopyOnWriteArrayList<>();

	List<String> enqueues() {
		return this.enqueues;
	}

	List<String> runs() {
		return this.runs;
	}

	void clear() {
		this.enqueues.clear();
		this.runs.clear();
	}

	JobInterceptor first() {
		return new First();
	}

	JobInterceptor second() {
		return new Second();
	}

	private abstract class Recorder implements JobInterceptor {

		private final String name;

		Recorder(String name) {
			this.name = name;
		}

		@Override
		public List<JobReceipt> aroundEnqueue(List<JobRequest> requests,
				Function<List<JobRequest>, List<JobReceipt>> next) {
			InterceptorCalls.this.enqueues.add(this.name);
			List<JobReceipt> receipts = JobInterceptor.super.aroundEnqueue(requests, next);
			InterceptorCalls.this.enqueues.add(this.name + " is back");
			return receipts;
		}

		@Override
		public JobResult aroundRun(JobContext job, Callable<JobResult> next) throws Exception {
			InterceptorCalls.this.runs.add(this.name);
			JobResult result = JobInterceptor.super.aroundRun(job, next);
			InterceptorCalls.this.runs.add(this.name + " is back");
			return result;
		}

	}

	@Order(1)
	private final class First extends Recorder {

		First() {
			super("first");
		}

	}

	@Order(2)
	private final class Second extends Recorder {

		Second() {
			super("second");
		}

	}

}
