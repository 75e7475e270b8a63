package io.jobqueue.internal.dashboard.access;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.servletapi.SecurityContextHolderAwareRequestWrapper;
import org.springframework.web.util.WebUtils;

import io.jobqueue.internal.dashboard.DashboardProperties;
import io.jobqueue.internal.dashboard.RefusedRequestException;

/**
 * Answers users whom Spring Security has authenticated and who have one of the roles. The
 * application's security answers all others, by its login page or a status.
 */
final class RoleAccess implements DashboardAccess {

	private final Set<String> readers;

	private final Set<String> writers;

	RoleAccess(DashboardProperties.Roles roles) {
		this.readers = Stream.of(roles.read(), roles.write())
			.flatMap(Set::stream)
			.collect(Collectors.toUnmodifiableSet());
		this.writers = Set.copyOf(roles.write());
	}

	@Override
	public void check(HttpServletRequest request, boolean write) {
		FetchMetadata.refuseOtherSites(request, write);
		if (authentication() == null) {
			throw withoutAuthentication(request);
		}
		if (!hasOneOf(write ? this.writers : this.readers, request)) {
			throw new AccessDeniedException("The dashboard of the job queue requires a role");
		}
	}

	/**
	 * No filter of Spring Security translates its exceptions if it ignores the path.
	 */
	private static RuntimeException withoutAuthentication(HttpServletRequest request) {
		return (WebUtils.getNativeRequest(request, SecurityContextHolderAwareRequestWrapper.class) != null)
				? new AuthenticationCredentialsNotFoundException("The dashboard of the job queue requires a login")
				: new RefusedRequestException(403,
						"The application's security ignores this path. Let it authenticate the users of the dashboard.");
	}

	@Override
	public boolean mayWrite(HttpServletRequest request) {
		return hasOneOf(this.writers, request);
	}

	/**
	 * A role has the prefix that the application sets, an authority has none.
	 */
	private static boolean hasOneOf(Set<String> roles, HttpServletRequest request) {
		Authentication authentication = authentication();
		return authentication != null && authentication.isAuthenticated()
				&& (roles.stream().anyMatch(request::isUserInRole) || authentication.getAuthorities()
					.stream()
					.map(GrantedAuthority::getAuthority)
					.anyMatch((authority) -> authority != null && roles.contains(authority)));
	}

	private static @Nullable Authentication authentication() {
		return SecurityContextHolder.getContext().getAuthentication();
	}

	@Override
	public @Nullable Csrf csrf(HttpServletRequest request) {
		return (request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token)
				? new Csrf(token.getParameterName(), token.getToken()) : null;
	}

}
