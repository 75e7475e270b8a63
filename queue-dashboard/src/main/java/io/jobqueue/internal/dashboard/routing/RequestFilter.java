package io.jobqueue.internal.dashboard.routing;

import java.util.Map;
import java.util.Set;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.internal.dashboard.RefusedRequestException;
import io.jobqueue.internal.dashboard.access.DashboardAccess;
import io.jobqueue.internal.dashboard.view.Views;

/**
 * Checks the access of each request, sets the headers of each response, and answers what
 * pages throw. Exceptions of Spring Security pass to the application's filters.
 */
final class RequestFilter implements HandlerFilterFunction<ServerResponse, ServerResponse> {

	private static final Map<String, String> HEADERS = Map.of("Cache-Control", "no-store", "X-Content-Type-Options",
			"nosniff", "Referrer-Policy", "no-referrer", "Content-Security-Policy",
			"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'");

	/**
	 * Methods that change nothing, whether a page answers them or not.
	 */
	private static final Set<HttpMethod> SAFE = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

	private final DashboardAccess access;

	private final Views views;

	private final Failures failures;

	RequestFilter(DashboardAccess access, Views views) {
		this.access = access;
		this.views = views;
		this.failures = new Failures(views, System::nanoTime);
	}

	@Override
	public ServerResponse filter(ServerRequest request, HandlerFunction<ServerResponse> next) {
		return new ResponseWithHeaders(answer(request, next), HEADERS);
	}

	private ServerResponse answer(ServerRequest request, HandlerFunction<ServerResponse> next) {
		try {
			check(request);
			readParameters(request.servletRequest());
		}
		catch (RefusedRequestException ex) {
			return this.views.error(request, ex.status(), ex.getMessage(), false);
		}
		try {
			return next.handle(request);
		}
		catch (Exception ex) {
			return this.failures.answer(request, ex);
		}
	}

	private void check(ServerRequest request) {
		try {
			this.access.check(request.servletRequest(), !SAFE.contains(request.method()));
		}
		catch (RefusedRequestException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			PassedExceptions.pass(request.servletRequest(), ex);
			throw ex;
		}
	}

	/**
	 * Servers refuse parameters that are wrongly encoded, and too many of them, when the
	 * first one is read, each server with an exception of its own.
	 */
	private static void readParameters(HttpServletRequest request) {
		try {
			request.getParameterMap();
		}
		catch (RuntimeException ex) {
			throw new RefusedRequestException(400, "The server cannot read the parameters of this request.");
		}
	}

}
