package io.jobqueue.internal.dashboard.access;

import java.util.Map;
import java.util.Set;

import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.hierarchicalroles.RoleHierarchy;
import org.springframework.security.access.hierarchicalroles.RoleHierarchyImpl;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.core.GrantedAuthorityDefaults;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.servletapi.SecurityContextHolderAwareRequestWrapper;

import io.jobqueue.internal.dashboard.DashboardProperties;
import io.jobqueue.internal.dashboard.RefusedRequestException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which users see the dashboard, and which change the queue.
 */
class RoleAccessTests {

	private static final DashboardProperties.Roles ROLES = new DashboardProperties.Roles(Set.of("VIEWER", "SCOPE_jobs"),
			Set.of("OPERATOR"));

	private RoleAccess access = RoleAccess.of(ROLES, new StaticListableBeanFactory());

	private final MockHttpServletRequest request = new MockHttpServletRequest();

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
	}

	@ParameterizedTest
	@CsvSource({ "ROLE_VIEWER, true, false", "VIEWER, true, false", "SCOPE_jobs, true, false",
			"ROLE_SCOPE_jobs, true, false", "ROLE_OPERATOR, true, true", "OPERATOR, true, true",
			"ROLE_OTHER, false, false", "ROLE_viewer, false, false" })
	void rolesAndAuthoritiesDecide(String authority, boolean read, boolean write) {
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("Ada", "", authority));
		assertThat(isAllowed(wrapped("ROLE_"), false)).isEqualTo(read);
		assertThat(isAllowed(wrapped("ROLE_"), true)).isEqualTo(write);
		assertThat(this.access.mayWrite(wrapped("ROLE_"))).isEqualTo(write);
	}

	@Test
	void prefixOfRolesIsThatOfTheApplication() {
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("Ada", "", "ops.VIEWER"));
		assertThat(isAllowed(wrapped("ops."), false)).isTrue();
		assertThat(isAllowed(wrapped("ROLE_"), false)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "ROLE_ADMIN, ROLE_, true, true", "ROLE_STAFF, ROLE_, true, false", "ROLE_GUEST, ROLE_, false, false",
			"ADMIN, ROLE_, false, false", "ops.ADMIN, ops., true, true", "ROLE_ADMIN, ops., false, false" })
	void rolesThatOthersImplyCount(String authority, String prefix, boolean read, boolean write) {
		RoleHierarchy hierarchy = RoleHierarchyImpl.withRolePrefix(prefix)
			.role("ADMIN")
			.implies("OPERATOR")
			.role("STAFF")
			.implies("VIEWER")
			.build();
		this.access = RoleAccess.of(ROLES, new StaticListableBeanFactory(
				Map.of("hierarchy", hierarchy, "prefix", new GrantedAuthorityDefaults(prefix))));
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("Ada", "", authority));
		assertThat(isAllowed(wrapped(prefix), false)).isEqualTo(read);
		assertThat(isAllowed(wrapped(prefix), true)).isEqualTo(write);
		assertThat(this.access.mayWrite(wrapped(prefix))).isEqualTo(write);
	}

	@Test
	void anonymousUserIsDeniedForTheApplicationToAskForALogin() {
		SecurityContextHolder.getContext()
			.setAuthentication(new AnonymousAuthenticationToken("key", "anonymous",
					AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS")));
		assertThatExceptionOfType(AccessDeniedException.class)
			.isThrownBy(() -> this.access.check(wrapped("ROLE_"), false));
	}

	@Test
	void requestWithoutAuthenticationAsksForALogin() {
		assertThatExceptionOfType(AuthenticationCredentialsNotFoundException.class)
			.isThrownBy(() -> this.access.check(wrapped("ROLE_"), false));
	}

	@Test
	void requestThatTheApplicationsSecurityIgnoresIsRefused() {
		assertThatExceptionOfType(RefusedRequestException.class)
			.isThrownBy(() -> this.access.check(this.request, false))
			.withMessageContaining("security ignores this path");
	}

	@Test
	void userWhoIsNotAuthenticatedHasNoRole() {
		TestingAuthenticationToken user = new TestingAuthenticationToken("Ada", "", "VIEWER");
		user.setAuthenticated(false);
		SecurityContextHolder.getContext().setAuthentication(user);
		assertThat(isAllowed(wrapped("ROLE_"), false)).isFalse();
	}

	@Test
	void pageOfAnotherSiteMayNotWrite() {
		SecurityContextHolder.getContext()
			.setAuthentication(new TestingAuthenticationToken("Ada", "", "ROLE_OPERATOR"));
		this.request.addHeader("Sec-Fetch-Site", "cross-site");
		this.request.addHeader("Sec-Fetch-Mode", "navigate");
		assertThat(isAllowed(wrapped("ROLE_"), false)).isTrue();
		assertThatExceptionOfType(RefusedRequestException.class)
			.isThrownBy(() -> this.access.check(wrapped("ROLE_"), true));
	}

	private HttpServletRequest wrapped(String prefix) {
		return new SecurityContextHolderAwareRequestWrapper(this.request, prefix);
	}

	private boolean isAllowed(HttpServletRequest user, boolean write) {
		try {
			this.access.check(user, write);
			return true;
		}
		catch (AccessDeniedException ex) {
			return false;
		}
	}

}
