package io.jobqueue.internal.dashboard.access;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.security.web.csrf.CsrfTokenRequestAttributeHandler;
import org.springframework.security.web.csrf.CsrfTokenRequestHandler;
import org.springframework.security.web.csrf.HttpSessionCsrfTokenRepository;
import org.springframework.security.web.csrf.XorCsrfTokenRequestAttributeHandler;

import io.jobqueue.internal.dashboard.DashboardProperties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Forms contain the token that the application's protection accepts.
 */
class CsrfTests {

	private final RoleAccess access = RoleAccess.of(new DashboardProperties.Roles(Set.of(), Set.of("OPERATOR")),
			new StaticListableBeanFactory());

	static Stream<Arguments> variants() {
		return Stream.of(
				arguments("session, masked", new HttpSessionCsrfTokenRepository(),
						new XorCsrfTokenRequestAttributeHandler()),
				arguments("session, plain", new HttpSessionCsrfTokenRepository(), eager()),
				arguments("cookie, masked", new CookieCsrfTokenRepository(), new XorCsrfTokenRequestAttributeHandler()),
				arguments("cookie, plain", new CookieCsrfTokenRepository(), new CsrfTokenRequestAttributeHandler()),
				arguments("another parameter", withParameter("forged"), new XorCsrfTokenRequestAttributeHandler()));
	}

	private static CsrfTokenRequestHandler eager() {
		CsrfTokenRequestAttributeHandler handler = new CsrfTokenRequestAttributeHandler();
		handler.setCsrfRequestAttributeName(null);
		return handler;
	}

	private static CsrfTokenRepository withParameter(String name) {
		HttpSessionCsrfTokenRepository repository = new HttpSessionCsrfTokenRepository();
		repository.setParameterName(name);
		return repository;
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("variants")
	void tokenOfAPageIsAcceptedInAForm(String name, CsrfTokenRepository repository, CsrfTokenRequestHandler handler)
			throws Exception {
		CsrfFilter filter = new CsrfFilter(repository);
		filter.setRequestHandler(handler);
		MockHttpServletRequest page = new MockHttpServletRequest("GET", "/jobqueue");
		MockHttpServletResponse response = new MockHttpServletResponse();
		Csrf token = tokenOf(filter, page, response);
		assertThat(token).isNotNull();
		assertThat(isAccepted(filter, form(page, response, token.parameter(), token.token()))).isTrue();
		assertThat(isAccepted(filter, form(page, response, token.parameter(), "other"))).isFalse();
	}

	@Test
	void applicationWithoutProtectionNeedsNoToken() {
		assertThat(this.access.csrf(new MockHttpServletRequest())).isNull();
	}

	private @Nullable Csrf tokenOf(CsrfFilter filter, MockHttpServletRequest page, MockHttpServletResponse response)
			throws ServletException, IOException {
		AtomicReference<@Nullable Csrf> token = new AtomicReference<>();
		filter.doFilter(page, response, (request, unused) -> token.set(this.access.csrf((HttpServletRequest) request)));
		return token.get();
	}

	private static MockHttpServletRequest form(MockHttpServletRequest page, MockHttpServletResponse response,
			String parameter, String token) {
		MockHttpServletRequest form = new MockHttpServletRequest("POST", "/jobqueue/bulk/retry");
		if (page.getSession(false) != null) {
			form.setSession(page.getSession());
		}
		form.setCookies(response.getCookies());
		form.setParameter(parameter, token);
		return form;
	}

	private static boolean isAccepted(CsrfFilter filter, MockHttpServletRequest form)
			throws ServletException, IOException {
		AtomicBoolean accepted = new AtomicBoolean();
		filter.doFilter(form, new MockHttpServletResponse(), (request, response) -> accepted.set(true));
		return accepted.get();
	}

}
