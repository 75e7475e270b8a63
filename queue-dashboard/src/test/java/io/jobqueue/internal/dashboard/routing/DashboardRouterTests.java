package io.jobqueue.internal.dashboard.routing;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.internal.dashboard.DashboardProperties;
import io.jobqueue.internal.dashboard.DashboardProperties.Roles;
import io.jobqueue.internal.dashboard.access.DashboardAccess;
import io.jobqueue.internal.dashboard.view.Views;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Which requests the dashboard takes from the application.
 */
class DashboardRouterTests {

	private final DashboardRouter router = new DashboardRouter(
			new DashboardProperties("/ops/queue", new Roles(Set.of(), Set.of()), null, false, null),
			List.of((routes) -> routes.GET("", (request) -> ServerResponse.ok().build())
				.GET("/jobs/{id}", (request) -> ServerResponse.ok().build())),
			mock(DashboardAccess.class), mock(Views.class));

	@ParameterizedTest
	@ValueSource(strings = { "/ops/queue", "/ops/queue/", "/ops/queue/jobs/7", "/ops/queue/x", "/ops/%71ueue/x" })
	void requestBelowThePathIsTaken(String path) {
		assertThat(this.router.route(request(path))).isPresent();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/ops", "/ops/queues", "/ops/queue-x", "/x/ops/queue", "/jobs/7" })
	void otherRequestIsLeft(String path) {
		assertThat(this.router.route(request(path))).isEmpty();
	}

	/**
	 * Spring Boot measures requests by their pattern.
	 */
	@ParameterizedTest
	@CsvSource({ "/ops/queue, /ops/queue", "/ops/queue/jobs/7, /ops/queue/jobs/{id}", "/ops/queue/x, /ops/queue/**" })
	void patternContainsThePath(String path, String pattern) {
		ServerRequest request = request(path);
		assertThat(this.router.route(request)).isPresent();
		assertThat(request.attribute(RouterFunctions.MATCHING_PATTERN_ATTRIBUTE).orElseThrow()).hasToString(pattern);
	}

	@Test
	void variablesOfThePathAreThoseOfThePage() {
		ServerRequest request = request("/ops/queue/jobs/7");
		assertThat(this.router.route(request)).isPresent();
		assertThat(request.pathVariable("id")).isEqualTo("7");
	}

	private static ServerRequest request(String path) {
		return ServerRequest.create(new MockHttpServletRequest("GET", path), List.of());
	}

}
