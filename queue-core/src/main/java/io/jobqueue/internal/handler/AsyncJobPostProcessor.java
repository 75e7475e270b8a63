package io.jobqueue.internal.handler;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.BeanFactory;

import io.jobqueue.AsyncJob;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRejectedException;

/**
 * Adds {@link AsyncJobAdvice} to beans with methods whose calls become jobs. It precedes
 * all other advice, so that a call joins the caller's transaction, and transactions and
 * other advice of the method are those of the job. The job queue is looked up at the
 * first call, since post-processors are created before all other beans.
 */
@SuppressWarnings("serial")
final class AsyncJobPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {

	AsyncJobPostProcessor() {
		setBeforeExistingAdvisors(true);
	}

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		super.setBeanFactory(beanFactory);
		AsyncJobAdvice advice = new AsyncJobAdvice((method) -> method(beanFactory, method),
				() -> beanFactory.getBean(JobQueue.class));
		this.advisor = new DefaultPointcutAdvisor(new AnnotationMatchingPointcut(null, AsyncJob.class, true), advice);
	}

	private static AsyncJobMethod method(BeanFactory beanFactory, Method method) {
		AsyncJobMethod job = beanFactory.getBean(JobHandlers.class).asyncJob(method);
		if (job == null) {
			throw new JobRejectedException("method",
					"%s.%s is annotated with @AsyncJob, but no bean of this context is known to have it: declare its object as a bean with a name of its own, and let a @Bean method return the class or interface that has the annotation"
						.formatted(method.getDeclaringClass().getName(), method.getName()));
		}
		return job;
	}

	/**
	 * CGLIB would fail without naming the annotation.
	 */
	@Override
	protected void customizeProxyFactory(ProxyFactory proxyFactory) {
		Class<?> beanClass = proxyFactory.getTargetClass();
		if (proxyFactory.isProxyTargetClass() && beanClass != null && Modifier.isFinal(beanClass.getModifiers())) {
			throw new InvalidHandlerException(
					"%s has @AsyncJob methods, but is final: calls of it do not pass a proxy"
						.formatted(beanClass.getName()),
					"Remove 'final', or move the methods to a class that is neither final nor a record");
		}
	}

}
