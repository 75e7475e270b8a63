package io.jobqueue.internal.handler;

import java.lang.reflect.Method;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.jobqueue.JobRequest;
import io.jobqueue.internal.payload.MethodArguments;

/**
 * A method of a bean whose calls become jobs.
 *
 * @param bean the method
 * @param queue the queue of its jobs
 * @param type the type of its jobs
 * @param arguments writes and reads the arguments of its calls
 */
record AsyncJobMethod(BeanMethod bean, String queue, String type, MethodArguments arguments) implements HandlerTarget {

	/**
	 * Return the method that has the annotation, by which calls find it.
	 */
	Method annotated() {
		return this.arguments.method();
	}

	@Override
	public String description() {
		return this.bean.description();
	}

	JobRequest request(@Nullable Object[] given) {
		return JobRequest.of(this.queue, this.arguments.write(given)).type(this.type);
	}

	@Override
	public HandlerCall call(ConfigurableListableBeanFactory beanFactory) {
		HandlerCall body = this.bean.call(beanFactory,
				(payload, job) -> this.arguments.read((ObjectNode) payload, job));
		rejectUnadvised(beanFactory.getBean(this.bean.beanName()));
		return (payload, job) -> AsyncJobAdvice.running(annotated(), body.prepare(payload, job));
	}

	/**
	 * The target of a scoped proxy is advised, not the proxy itself.
	 */
	private void rejectUnadvised(Object instance) {
		boolean advised = instance instanceof ScopedObject || (instance instanceof Advised proxy
				&& Arrays.stream(proxy.getAdvisors()).anyMatch((each) -> each.getAdvice() instanceof AsyncJobAdvice));
		if (!advised) {
			throw new InvalidHandlerException(
					"%s runs at once instead of becoming a job: its bean was created too early, or outside the context, and has no proxy"
						.formatted(this.bean.subject()),
					"Do not inject the bean into a BeanPostProcessor or BeanFactoryPostProcessor, and declare it as a bean definition. In a test, replace it with @MockitoSpyBean instead of @MockitoBean");
		}
	}

}
