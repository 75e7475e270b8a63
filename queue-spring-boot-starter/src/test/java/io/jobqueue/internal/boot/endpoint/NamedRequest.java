package io.jobqueue.internal.boot.endpoint;

import java.security.Principal;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

/**
 * A request whose header {@code Role} names the user and the only role that they have.
 */
class NamedRequest extends HttpServletRequestWrapper {

	NamedRequest(HttpServletRequest request) {
		super(request);
	}

	@Override
	public @Nullable Principal getUserPrincipal() {
		String role = getHeader("Role");
		return (role != null) ? () -> role : null;
	}

	@Override
	public boolean isUserInRole(String role) {
		return role.equals(getHeader("Role"));
	}

}
