package io.jobqueue.internal.handler;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.util.ReflectionUtils;

import io.jobqueue.JobContext;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.PayloadCodec;
import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.harness.TestNames;
import io.jobqueue.internal.payload.JacksonPayloadCodec;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.PayloadCodecs;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Beans with methods whose calls become jobs, without a database: requests are kept.
 */
abstract class AsyncJobTestBase {

	static final JobReceipt RECEIPT = new JobReceipt(new UUID(0, 1), JobReceipt.Outcome.ADDED);

	final List<JobRequest> requests = new ArrayList<>();

	private PayloadCodec codec = new JacksonPayloadCodec();

	/**
	 * Payloads are encoded by the application's mapper, whose defaults are Jackson's.
	 */
	void useApplicationMapper() {
		this.codec = new JacksonPayloadCodec(new JsonMapper());
	}

	AnnotationConfigApplicationContext context(Class<?>... beans) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.registerBean(BeanPostProcessor.class, JobHandlers::asyncJobs);
		context.registerBean(JobQueue.class, this::queue);
		context.registerBean(JobHandlers.class, () -> new JobHandlers(context.getBeanFactory(), new JobTypes(),
				new PayloadCodecs(this.codec), TestNames.unobserved(context.getBeanProvider(JobInterceptor.class))));
		context.register(beans);
		return context;
	}

	private JobQueue queue() {
		return proxy(JobQueue.class, (method, arguments) -> {
			this.requests.add((JobRequest) arguments[0]);
			return RECEIPT;
		});
	}

	/**
	 * Return the only request so far, as it is stored, and forget it.
	 */
	String stored() {
		assertThat(this.requests).hasSize(1);
		return this.codec.encode(this.requests.remove(0).payload()).text();
	}

	/**
	 * Run a job as a worker does.
	 */
	void work(AnnotationConfigApplicationContext context, String queue, String type, String payload) throws Exception {
		JobContext job = proxy(JobContext.class, (method, arguments) -> property(method, type));
		HandlerInvoker handler = context.getBean(JobHandlers.class).find(queue, type);
		assertThat(handler).isNotNull();
		try {
			assertThat(handler.handle(Encoded.ofText(payload), job, (correlation) -> {
			})).isEqualTo(JobResult.success());
		}
		catch (InvocationTargetException ex) {
			ReflectionUtils.rethrowException(ex.getTargetException());
		}
	}

	private static @Nullable Object property(Method method, String type) {
		Class<?> result = method.getReturnType();
		if (result == Map.class) {
			return Map.of();
		}
		if (result == boolean.class) {
			return false;
		}
		return (result == int.class) ? 1 : (result == String.class) ? type : null;
	}

	private static <T> T proxy(Class<T> type, Call call) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> call.of(method, arguments)));
	}

	@FunctionalInterface
	private interface Call {

		@Nullable Object of(Method method, Object[] arguments);

	}

}
