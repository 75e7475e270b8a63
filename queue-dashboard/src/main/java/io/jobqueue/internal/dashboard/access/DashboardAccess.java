package io.jobqueue.internal.dashboard.access;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.dashboard.RefusedRequestException;

/**
 * Decides who sees the dashboard, and who changes the queue with it.
 */
public interface DashboardAccess {

	/**
	 * Require that a request may be answered.
	 * @param request the request
	 * @param write whether it changes something
	 * @throws RefusedRequestException if it may not
	 * @throws RuntimeException an exception of Spring Security if that is to refuse it,
	 * or to ask for a login
	 */
	void check(HttpServletRequest request, boolean write);

	/**
	 * Return whether pages offer changes.
	 * @param request a request that may be answered
	 * @return whether the same user may change something
	 */
	boolean mayWrite(HttpServletRequest request);

	/**
	 * Return the token that forms contain. It may begin a session of the application, so
	 * the response must not be committed.
	 * @param request the request for a page with forms
	 * @return the token, {@code null} if the application wants none
	 */
	@Nullable Csrf csrf(HttpServletRequest request);

}
