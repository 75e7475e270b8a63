package io.jobqueue.observation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

import io.jobqueue.JobContext;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobQueueException;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;

/**
 * Calls the interceptors of the application, the first one outermost, and observes
 * enqueued and running jobs. Without an observation handler in the registry, nothing is
 * observed. Applications do not use this class: it is public for other packages of the
 * library, and not API.
 */
public final class Interceptors {

	private final ObjectProvider<JobInterceptor> beans;

	private final ObservationRegistry registry;

	private final JobNames names;

	private final @Nullable EnqueueObservationConvention enqueueConvention;

	private final @Nullable RunObservationConvention runConvention;

	private volatile @Nullable List<JobInterceptor> chain;

	/**
	 * Create a chain.
	 * @param beans the interceptors, resolved at the first call, as they may depend on
	 * the job queue
	 * @param registry the registry of observations
	 * @param names the names of queues and types
	 * @param enqueueConvention the convention of enqueueing, {@code null} for the default
	 * @param runConvention the convention of attempts, {@code null} for the default
	 */
	public Interceptors(ObjectProvider<JobInterceptor> beans, ObservationRegistry registry, JobNames names,
			@Nullable EnqueueObservationConvention enqueueConvention,
			@Nullable RunObservationConvention runConvention) {
		this.beans = beans;
		this.registry = registry;
		this.names = names;
		this.enqueueConvention = enqueueConvention;
		this.runConvention = runConvention;
	}

	/**
	 * Return whether there is no interceptor.
	 * @return {@code true} if there is none
	 */
	public boolean isEmpty() {
		return chain().isEmpty();
	}

	/**
	 * Enqueue jobs through the interceptors. The requests that the chain passes on are
	 * enqueued within an observation, whose trace is added to all of them, including
	 * those that an interceptor has added.
	 * @param requests the requests
	 * @param queue enqueues the requests that the chain passes on, not called if it
	 * passes on none
	 * @return a receipt for each request
	 */
	public List<JobReceipt> aroundEnqueue(List<JobRequest> requests,
			Function<List<JobRequest>, List<JobReceipt>> queue) {
		return enqueue(chain(), requests, queue);
	}

	/**
	 * Call a handler through the interceptors, within an observation, which continues the
	 * trace of the enqueueing.
	 * @param job the job
	 * @param correlation receives the MDC entries that a tracer sets for this run, before
	 * the handler is called; not called if there are none
	 * @param handler calls the handler
	 * @return the result of the handler
	 * @throws Exception the exception of an interceptor or of the handler
	 */
	public JobResult aroundRun(JobContext job, Consumer<Map<String, String>> correlation, Callable<JobResult> handler)
			throws Exception {
		Callable<JobResult> run = isEmpty() ? handler : () -> run(chain(), job, handler);
		return this.registry.isNoop() ? run.call() : observe(new RunObservationContext(List.of(job), this.names),
				correlation, run, (context, result) -> context.setResults(List.of(result)));
	}

	/**
	 * Call a handler with several jobs through the interceptors, within an observation,
	 * which starts a new trace unless there is only one job.
	 * @param jobs the jobs, at least one
	 * @param correlation receives the MDC entries that a tracer sets for this call,
	 * before the handler is called; not called if there are none
	 * @param handler calls the handler
	 * @param check checks the results of each interceptor, of which it is passed a
	 * description
	 * @return the results
	 * @throws Exception the exception of an interceptor, of the check or of the handler
	 */
	public List<JobResult> aroundBatch(List<JobContext> jobs, Consumer<Map<String, String>> correlation,
			Callable<List<JobResult>> handler, BiConsumer<String, @Nullable List<JobResult>> check) throws Exception {
		Callable<List<JobResult>> run = () -> run(chain(), jobs, handler, check);
		return this.registry.isNoop() ? run.call() : observe(new RunObservationContext(jobs, this.names), correlation,
				run, RunObservationContext::setResults);
	}

	/**
	 * Return an interceptor that overrides {@code aroundRun} and not {@code aroundBatch}.
	 * @return the first one, {@code null} if there is none
	 */
	public @Nullable JobInterceptor withoutBatches() {
		return chain().stream()
			.filter((each) -> overrides(each, "aroundRun", JobContext.class)
					&& !overrides(each, "aroundBatch", List.class))
			.findFirst()
			.orElse(null);
	}

	private static boolean overrides(JobInterceptor interceptor, String method, Class<?> about) {
		Class<?> type = AopUtils.getTargetClass(interceptor);
		return ClassUtils.getMethod(type, method, about, Callable.class).getDeclaringClass() != JobInterceptor.class;
	}

	private List<JobInterceptor> chain() {
		List<JobInterceptor> known = this.chain;
		if (known == null) {
			known = this.beans.orderedStream().toList();
			this.chain = known;
		}
		return known;
	}

	private List<JobReceipt> enqueue(List<JobInterceptor> chain, List<JobRequest> requests,
			Function<List<JobRequest>, List<JobReceipt>> queue) {
		if (chain.isEmpty()) {
			return requests.isEmpty() ? List.of() : observe(requests, queue);
		}
		List<JobReceipt> receipts = chain.get(0)
			.aroundEnqueue(requests, (passed) -> enqueue(rest(chain), List.copyOf(passed), queue));
		check(receipts != null && receipts.size() == requests.size(), chain.get(0),
				"aroundEnqueue must return one receipt per request");
		return receipts;
	}

	private List<JobReceipt> observe(List<JobRequest> requests, Function<List<JobRequest>, List<JobReceipt>> queue) {
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

	private static JobResult run(List<JobInterceptor> chain, JobContext job, Callable<JobResult> handler)
			throws Exception {
		if (chain.isEmpty()) {
			return handler.call();
		}
		JobResult result = chain.get(0).aroundRun(job, () -> run(rest(chain), job, handler));
		check(result != null, chain.get(0), "aroundRun must return a result");
		return result;
	}

	private <R> R observe(RunObservationContext context, Consumer<Map<String, String>> correlation, Callable<R> run,
			BiConsumer<RunObservationContext, R> ended) throws Exception {
		Map<String, String> before = mdc();
		return JobObservationDocumentation.RUN
			.observation(this.runConvention, DefaultRunObservationConvention.INSTANCE, () -> context, this.registry)
			.observeChecked(() -> {
				correlate(before, correlation);
				R result = run.call();
				ended.accept(context, result);
				return result;
			});
	}

	private static List<JobResult> run(List<JobInterceptor> chain, List<JobContext> jobs,
			Callable<List<JobResult>> handler, BiConsumer<String, @Nullable List<JobResult>> check) throws Exception {
		if (chain.isEmpty()) {
			return handler.call();
		}
		List<JobResult> results = chain.get(0).aroundBatch(jobs, () -> run(rest(chain), jobs, handler, check));
		check.accept("aroundBatch of interceptor " + chain.get(0).getClass().getName(), results);
		return results;
	}

	private static List<JobInterceptor> rest(List<JobInterceptor> chain) {
		return chain.subList(1, chain.size());
	}

	private static void check(boolean condition, JobInterceptor interceptor, String rule) {
		if (!condition) {
			throw new JobQueueException(
					"Interceptor %s breaks its contract: %s".formatted(interceptor.getClass().getName(), rule));
		}
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
