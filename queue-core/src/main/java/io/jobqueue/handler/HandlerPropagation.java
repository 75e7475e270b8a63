package io.jobqueue.handler;

import java.lang.reflect.Method;

import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.interceptor.TransactionAttribute;

import io.jobqueue.Delivery;

/**
 * Rejects handlers with transactional delivery whose {@code @Transactional} propagation
 * does not join the transaction of the job.
 */
final class HandlerPropagation {

	private HandlerPropagation() {
	}

	/**
	 * Check a handler method if its delivery is transactional. The source of the
	 * attributes keeps the classes that it has read, and with them their class loader.
	 * @param handler the subject of a sentence about the handler
	 * @param method the method
	 * @param beanClass the class of its bean, whose annotation applies as well
	 * @param delivery its delivery
	 * @throws InvalidHandlerException if its writes would not commit together with the
	 * completion of its job
	 */
	static void check(String handler, Method method, Class<?> beanClass, Delivery delivery) {
		TransactionAttribute attribute = new AnnotationTransactionAttributeSource(false).getTransactionAttribute(method,
				beanClass);
		if (attribute == null || delivery != Delivery.TRANSACTIONAL) {
			return;
		}
		for (Propagation propagation : new Propagation[] { Propagation.REQUIRES_NEW, Propagation.NOT_SUPPORTED,
				Propagation.NEVER }) {
			if (attribute.getPropagationBehavior() == propagation.value()) {
				throw new InvalidHandlerException(
						"%s has delivery = TRANSACTIONAL, but its @Transactional has propagation %s, which leaves the transaction of the job"
							.formatted(handler, propagation),
						"Remove that propagation, so that its writes commit together with the completion of the job");
			}
		}
	}

}
