package io.jobqueue.observation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;

import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

import io.jobqueue.JobContext;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;

/**
 * Observes enqueued and running jobs. Without an observation handler in the registry, it
 * only delegates.
 */
public final class JobObserver {

	private final ObservationRegistry registry;

	private final JobNames names;

	private final @Nullable EnqueueObservationConvention enqueueConvention;

	private final @Nullable RunObservationConvention runConvention;

	/**
	 * Create an observer.
	 * @param registry the registry of observations
	 * @param names the names of queues and types
	 * @param enqueueConvention the convention of enqueueing, {@code null} for the default
	 * @param runConvention the convention of attempts, {@code null} for the default
	 */
	public JobObserver(ObservationRegistry registry, JobNames names,
			@Nullable EnqueueObservationConvention enqueueConvention,
			@Nullable RunObservationConvention runConvention) {
		this.registry = registry;
		this.names = names;
		this.enqueueConvention = enqueueConvention;
		this.runConvention = runConvention;
	}

	/**
	 * Enqueue jobs within an observation, and add its trace to their headers.
	 * @param requests the requests
	 * @param queue enqueues the requests
	 * @return a receipt for each request
	 */
	public List<JobReceipt> enqueue(List<JobRequest> requests, Function<List<JobRequest>, List<JobReceipt>> queue) {
		if (this.registry.isNoop()) {
			return queue.apply(requests);
		}
		EnqueueObservationContext context = new EnqueueObservationContext(requests, this.names);
		return JobObservationDocumentation.ENQUEUE
			.observation(this.enqueueConvention, DefaultEnqueueObservationConvention.INSTANCE, () -> context,
					this.registry)
			.observe(() -> {
				List<JobReceipt> receipts = queue.apply(context.carrying());
				context.setReceipts(receipts);
				return receipts;
			});
	}

	/**
	 * Run a job within an observation, which continues the trace of its enqueueing.
	 * @param job the job
	 * @param correlation receives the MDC entries that a tracer sets for this run, before
	 * the handler is called; not called if there are none
	 * @param handler calls the handler
	 * @return the result of the handler
	 * @throws Exception the exception of the handler
	 */
	public JobResult run(JobContext job, Consumer<Map<String, String>> correlation, Callable<JobResult> handler)
			throws Exception {
		if (this.registry.isNoop()) {
			return handler.call();
		}
		RunObservationContext context = new RunObservationContext(job, this.names);
		Map<String, String> before = mdc();
		return JobObservationDocumentation.RUN
			.observation(this.runConvention, DefaultRunObservationConvention.INSTANCE, () -> context, this.registry)
			.observeChecked(() -> {
				correlate(before, correlation);
				JobResult result = handler.call();
				context.setResult(result);
				return result;
			});
	}

	private static void correlate(Map<String, String> before, Consumer<Map<String, String>> correlation) {
		Map<String, String> added = new HashMap<>(mdc());
		added.entrySet().removeAll(before.entrySet());
		if (!added.isEmpty()) {
			correlation.accept(Map.copyOf(added));
		}
	}

	private static Map<String, String> mdc() {
		Map<String, String> entries = MDC.getCopyOfContextMap();
		return (entries != null) ? entries : Map.of();
	}

}
