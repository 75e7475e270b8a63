package io.jobqueue.internal.handler;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.jobqueue.Delivery;
import io.jobqueue.JobBatch.Item;
import io.jobqueue.JobContext;
import io.jobqueue.JobResult;
import io.jobqueue.PayloadCodec;
import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.RetryPolicy;
import io.jobqueue.UnreadablePayloadException;
import io.jobqueue.internal.handler.HandlerTarget.HandlerCall;
import io.jobqueue.internal.payload.JacksonPayloadCodec;
import io.jobqueue.internal.payload.PayloadCodecs;
import io.jobqueue.internal.payload.PayloadReader;
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.observation.Interceptors;

/**
 * Decodes payloads and calls one handler, with interceptors around it.
 */
public final class HandlerInvoker {

	private static final Logger logger = LoggerFactory.getLogger(HandlerInvoker.class);

	private final HandlerCall call;

	private final HandlerDefinition definition;

	private final PayloadReader payloads;

	private final Interceptors interceptors;

	private final @Nullable RetryPolicy retryPolicy;

	private HandlerInvoker(HandlerCall call, HandlerDefinition definition, PayloadReader payloads,
			Interceptors interceptors, @Nullable RetryPolicy retryPolicy) {
		this.call = call;
		this.definition = definition;
		this.payloads = payloads;
		this.interceptors = interceptors;
		this.retryPolicy = retryPolicy;
	}

	static HandlerInvoker of(HandlerDefinition definition, ConfigurableListableBeanFactory beanFactory,
			PayloadCodecs codecs, Interceptors interceptors) {
		PayloadCodec codec = codecs.of(definition.queue());
		rejectUnreadable(definition, codec);
		warnOfUntyped(definition, codec);
		return new HandlerInvoker(definition.target().call(beanFactory), definition,
				new PayloadReader(codec, definition.payloadType()), interceptors, retryPolicy(definition, beanFactory));
	}

	private static void rejectUnreadable(HandlerDefinition definition, PayloadCodec codec) {
		String reason = codec.unreadable(definition.payloadType());
		if (reason != null) {
			throw new InvalidHandlerException("%s takes %s, which can be serialized but not deserialized: %s".formatted(
					definition.description(), definition.payloadType().getTypeName(), reason), PayloadReader.READABLE);
		}
	}

	private static void warnOfUntyped(HandlerDefinition definition, PayloadCodec codec) {
		String property = (codec instanceof JacksonPayloadCodec json) ? json.untyped(definition.payloadType()) : null;
		if (property != null) {
			logger.warn(
					"The payload of {} may lose classes: {}, so that objects arrive as a Map. Declare a class, JsonNode or Map<String, Object>",
					definition.description(), property);
		}
	}

	private static @Nullable RetryPolicy retryPolicy(HandlerDefinition definition,
			ConfigurableListableBeanFactory beanFactory) {
		String name = definition.retryPolicy();
		if (name.isEmpty()) {
			return null;
		}
		if (!beanFactory.containsBean(name) || !beanFactory.isTypeMatch(name, RetryPolicy.class)) {
			throw new InvalidHandlerException(
					"The handler %s names the retry policy '%s', but no bean of type RetryPolicy has that name"
						.formatted(definition.description(), name),
					"Declare the bean, or correct the name");
		}
		return beanFactory.getBean(name, RetryPolicy.class);
	}

	/**
	 * Return the retry policy that the handler names.
	 * @return the policy, {@code null} for that of the queue
	 */
	public @Nullable RetryPolicy retryPolicy() {
		return this.retryPolicy;
	}

	/**
	 * Return the attempt options of the handler's annotation.
	 * @return the options
	 */
	public AttemptOptions options() {
		return this.definition.options();
	}

	/**
	 * Return the delivery of the handler.
	 * @return the delivery
	 */
	public Delivery delivery() {
		return this.definition.delivery();
	}

	/**
	 * Return whether the handler takes {@code null} for a job without a payload.
	 * @return {@code true} if it does
	 */
	public boolean takesNull() {
		return this.definition.target().takesNull();
	}

	/**
	 * Return whether an exception matches {@code failOn}.
	 * @param thrown the exception of the handler
	 * @return {@code true} if the job is not retried
	 */
	public boolean failsOn(Throwable thrown) {
		return this.definition.failOn().match(thrown);
	}

	/**
	 * Return whether an exception matches {@code succeedOn} and not {@code failOn}.
	 * @param thrown the exception of the handler
	 * @return {@code true} if the job has succeeded
	 */
	public boolean succeedsOn(Throwable thrown) {
		return !failsOn(thrown) && this.definition.succeedOn().match(thrown);
	}

	/**
	 * Decode the payload and call the handler with it.
	 * @param payload the encoded payload
	 * @param job the job
	 * @param correlation receives the MDC entries of the run's trace
	 * @return the result of the handler, success if it returns no {@link JobResult}
	 * @throws InvocationTargetException with the exception of the handler or of an
	 * interceptor
	 * @throws RuntimeException if the payload cannot be decoded or the bean cannot be
	 * created; neither the handler nor an interceptor was called then
	 */
	public JobResult handle(Encoded payload, JobContext job, Consumer<Map<String, String>> correlation)
			throws InvocationTargetException {
		if (this.definition.target() instanceof BatchMethod) {
			return handle(prepare(List.of(read(payload, job))), job, correlation);
		}
		Callable<@Nullable Object> prepared = this.call.prepare(argument(payload, job), job);
		try {
			return this.interceptors.aroundRun(job, correlation, () -> result(prepared.call()));
		}
		catch (Throwable ex) {
			throw new InvocationTargetException(ex);
		}
	}

	private @Nullable Object argument(Encoded payload, JobContext job) {
		return (takesNull() && payload.equals(PayloadReader.NONE)) ? null : this.payloads.read(payload, job);
	}

	/**
	 * An exception after which the result of the only job is kept has no other place than
	 * the log.
	 */
	private JobResult handle(BatchCall call, JobContext job, Consumer<Map<String, String>> correlation)
			throws InvocationTargetException {
		try {
			return call.run(correlation).get(0);
		}
		catch (InvocationTargetException ex) {
			JobResult kept = (delivery() != Delivery.TRANSACTIONAL) ? call.kept(job) : null;
			if (kept == null) {
				throw ex;
			}
			logger.warn("The handler of {} threw after it had set the result of the job, which counts", job,
					ex.getTargetException());
			return kept;
		}
	}

	/**
	 * Decode the payload of one of several jobs.
	 * @param payload the encoded payload
	 * @param job the job
	 * @return the job with its payload
	 * @throws UnreadablePayloadException if the payload cannot be decoded
	 */
	public Item<Object> read(Encoded payload, JobContext job) {
		return new Item<>(this.payloads.read(payload, job), job);
	}

	/**
	 * Prepare a call with several jobs. The handler is one that takes them.
	 * @param jobs the jobs, at least one
	 * @return the call
	 * @throws RuntimeException if the bean cannot be created
	 */
	public BatchCall prepare(List<Item<Object>> jobs) {
		CalledJobs called = new CalledJobs(jobs);
		return new BatchCall((BatchMethod) this.definition.target(), called,
				this.call.prepare(called, jobs.get(0).job()), this.interceptors);
	}

	private static JobResult result(@Nullable Object returned) {
		if (returned instanceof JobResult result) {
			return result;
		}
		return (returned != null) ? JobResult.success(returned) : JobResult.success();
	}

}
