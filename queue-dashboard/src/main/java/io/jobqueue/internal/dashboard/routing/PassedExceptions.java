package io.jobqueue.internal.dashboard.routing;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Lets the exceptions of Spring Security by which the dashboard refuses a request reach
 * its filters, which answer with a login page or a status. In an application that handles
 * all exceptions, they would end before.
 */
public final class PassedExceptions implements HandlerExceptionResolver, Ordered {

	private static final String PASSED = PassedExceptions.class.getName();

	/**
	 * Create the resolver.
	 */
	public PassedExceptions() {
	}

	static void pass(HttpServletRequest request, RuntimeException failure) {
		request.setAttribute(PASSED, failure);
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception failure) {
		if (failure instanceof RuntimeException passed && request.getAttribute(PASSED) == passed) {
			throw passed;
		}
		return null;
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

}
