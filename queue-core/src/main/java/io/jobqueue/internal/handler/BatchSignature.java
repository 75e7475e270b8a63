package io.jobqueue.internal.handler;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import org.springframework.core.ResolvableType;

import io.jobqueue.Delivery;
import io.jobqueue.JobBatch;
import io.jobqueue.JobHandler;
import io.jobqueue.JobResult;
import io.jobqueue.internal.payload.JobTypes;

/**
 * Reads how a handler method takes jobs: one by one, or several in one call.
 *
 * @param target the method
 * @param payloadType the type that payloads are decoded to
 */
record BatchSignature(HandlerTarget target, Type payloadType) {

	private static final int SINGLE = 1;

	/**
	 * Read the signature of a method.
	 * @param bean the method
	 * @param declared the type of its payload parameter
	 */
	static BatchSignature of(BeanMethod bean, Type declared, JobHandler annotation, HandlerAttributes attributes) {
		ResolvableType type = ResolvableType.forType(declared);
		if (annotation.batchSize() == SINGLE) {
			rejectWithoutSize(bean, type.toClass(), annotation);
			return new BatchSignature(bean, declared);
		}
		Type payload = payload(bean, type);
		rejectDelivery(bean, annotation);
		rejectContext(bean);
		rejectResult(bean, type.toClass());
		return new BatchSignature(new BatchMethod(bean, limits(annotation, attributes)), payload);
	}

	private static void rejectWithoutSize(BeanMethod bean, Class<?> parameter, JobHandler annotation) {
		if (parameter == JobBatch.class) {
			throw new InvalidHandlerException("%s takes a JobBatch, but has no batchSize".formatted(bean.subject()),
					"Set batchSize, " + sizes());
		}
		if (!annotation.batchWait().isEmpty()) {
			throw new InvalidHandlerException("%s has a batchWait, but takes a single job".formatted(bean.subject()),
					"Remove batchWait, or take a List of the payload and set batchSize");
		}
	}

	private static Type payload(BeanMethod bean, ResolvableType type) {
		boolean several = type.toClass() == List.class || type.toClass() == JobBatch.class;
		Type payload = several ? type.getGeneric(0).getType() : ResolvableType.NONE.getType();
		if (payload instanceof WildcardType wildcard) {
			payload = wildcard.getUpperBounds()[0];
		}
		Class<?> element = several ? ResolvableType.forType(payload).resolve() : null;
		if (element == null || Collection.class.isAssignableFrom(element)) {
			throw new InvalidHandlerException(
					"%s has a batchSize, but takes %s".formatted(bean.subject(), type.getType().getTypeName()),
					"Take a List of the payload's class, such as List<Mail>, or a JobBatch of it; or remove batchSize");
		}
		return payload;
	}

	private static void rejectDelivery(BeanMethod bean, JobHandler annotation) {
		if (annotation.delivery() == Delivery.AT_MOST_ONCE) {
			throw new InvalidHandlerException(
					"%s has a batchSize and delivery = AT_MOST_ONCE: jobs of a call that fails could not run again one by one"
						.formatted(bean.subject()),
					"Remove batchSize, or choose another delivery");
		}
	}

	private static void rejectContext(BeanMethod bean) {
		if (bean.method().getParameterCount() > 1) {
			throw new InvalidHandlerException(
					"%s takes several jobs and one JobContext, which could be that of any of them"
						.formatted(bean.subject()),
					"Take a JobBatch only, whose items have the context of each job");
		}
	}

	private static void rejectResult(BeanMethod bean, Class<?> parameter) {
		Method method = bean.method();
		ResolvableType returned = ResolvableType.forMethodReturnType(method);
		boolean results = parameter == List.class && returned.toClass() == List.class
				&& JobResult.class.isAssignableFrom(returned.getGeneric(0).toClass());
		if (method.getReturnType() != void.class && !results) {
			throw new InvalidHandlerException(
					"%s takes several jobs, but returns %s".formatted(bean.subject(),
							JobTypes.withArticle(method.getReturnType())),
					(parameter == List.class)
							? "Return void if all jobs succeed together, or a List<JobResult> with one result for each"
							: "Return void, and set the result of a job with JobBatch.complete");
		}
	}

	private static BatchLimits limits(JobHandler annotation, HandlerAttributes attributes) {
		int size = annotation.batchSize();
		if (size < BatchLimits.MIN_SIZE || size > BatchLimits.MAX_SIZE) {
			throw new InvalidHandlerException("%s has batchSize = %s".formatted(attributes.handler(), size),
					"Set a number of jobs " + sizes());
		}
		Duration wait = attributes.durationUpTo(BatchLimits.MAX_WAIT, "batchWait", annotation.batchWait());
		return new BatchLimits(size, Objects.requireNonNullElse(wait, BatchLimits.DEFAULT_WAIT));
	}

	private static String sizes() {
		return String.format(Locale.ROOT, "from %s to %,d", BatchLimits.MIN_SIZE, BatchLimits.MAX_SIZE);
	}

}
