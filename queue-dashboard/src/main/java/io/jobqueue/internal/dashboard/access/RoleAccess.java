package io.jobqueue.internal.dashboard.access;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.hierarchicalroles.RoleHierarchy;
import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.authorization.AuthoritiesAuthorizationManager;
import org.springframework.security.config.core.GrantedAuthorityDefaults;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.servletapi.SecurityContextHolderAwareRequestWrapper;
import org.springframework.util.ClassUtils;
import org.springframework.web.util.WebUtils;

import io.jobqueue.internal.dashboard.DashboardProperties;
import io.jobqueue.internal.dashboard.RefusedRequestException;

/**
 * Answers users whom Spring Security has authenticated and who have one of the roles. The
 * application's security answers all others, by its login page or a status.
 */
final class RoleAccess implements DashboardAccess {

	private static final String DEFAULTS = "org.springframework.security.config.core.GrantedAuthorityDefaults";

	private static final String DEFAULT_PREFIX = "ROLE_";

	private final Set<String> readers;

	private final Set<String> writers;

	private final AuthoritiesAuthorizationManager authorities;

	private final String prefix;

	private RoleAccess(DashboardProperties.Roles roles, AuthoritiesAuthorizationManager authorities, String prefix) {
		this.readers = Stream.of(roles.read(), roles.write())
			.flatMap(Set::stream)
			.collect(Collectors.toUnmodifiableSet());
		this.writers = Set.copyOf(roles.write());
		this.authorities = authorities;
		this.prefix = prefix;
	}

	/**
	 * Create the access.
	 * @param roles the roles of users
	 * @param beans may have a hierarchy of roles, and the prefix of roles in it
	 */
	static RoleAccess of(DashboardProperties.Roles roles, ListableBeanFactory beans) {
		AuthoritiesAuthorizationManager authorities = new AuthoritiesAuthorizationManager();
		beans.getBeanProvider(RoleHierarchy.class).ifUnique(authorities::setRoleHierarchy);
		boolean configured = ClassUtils.isPresent(DEFAULTS, RoleAccess.class.getClassLoader());
		return new RoleAccess(roles, authorities, configured ? ConfiguredPrefix.of(beans) : DEFAULT_PREFIX);
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
	 * A role has the prefix that the application sets, an authority has none. The request
	 * does not know the hierarchy, and the hierarchy not a prefix of requests alone.
	 */
	private boolean hasOneOf(Set<String> roles, HttpServletRequest request) {
		Authentication authentication = authentication();
		return authentication != null && authentication.isAuthenticated()
				&& (roles.stream().anyMatch(request::isUserInRole) || reachesOneOf(roles, authentication));
	}

	private boolean reachesOneOf(Set<String> roles, Authentication authentication) {
		Set<String> wanted = roles.stream()
			.flatMap((role) -> Stream.of(role, this.prefix + role))
			.collect(Collectors.toSet());
		return this.authorities.authorize(() -> authentication, wanted).isGranted();
	}

	private static @Nullable Authentication authentication() {
		return SecurityContextHolder.getContext().getAuthentication();
	}

	@Override
	public @Nullable Csrf csrf(HttpServletRequest request) {
		return (request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token)
				? new Csrf(token.getParameterName(), token.getToken()) : null;
	}

	/**
	 * On the class path of applications that configure Spring Security by its own means.
	 */
	private static final class ConfiguredPrefix {

		static String of(ListableBeanFactory beans) {
			GrantedAuthorityDefaults defaults = beans.getBeanProvider(GrantedAuthorityDefaults.class).getIfUnique();
			return (defaults != null) ? defaults.getRolePrefix() : DEFAULT_PREFIX;
		}

	}

}
