package io.jobqueue.internal.dashboard.routing;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.internal.dashboard.DashboardProperties;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.access.DashboardAccess;
import io.jobqueue.internal.dashboard.view.Views;

/**
 * Routes each request below the path of the dashboard: to a page, or to an error page of
 * the dashboard.
 */
public final class DashboardRouter implements RouterFunction<ServerResponse> {

	private static final List<HttpMethod> METHODS = List.of(HttpMethod.GET, HttpMethod.POST);

	private final Views views;

	private final RouterFunction<ServerResponse> pages;

	private final RouterFunction<ServerResponse> all;

	/**
	 * Create a router.
	 * @param settings the settings
	 * @param pages all routes below its path
	 * @param access decides which requests are answered
	 * @param views creates error pages
	 */
	public DashboardRouter(DashboardProperties settings, List<DashboardRoutes> pages, DashboardAccess access,
			Views views) {
		this.views = views;
		this.pages = RouterFunctions.route()
			.path(settings.path(), (builder) -> pages.forEach((routes) -> routes.addTo(builder)))
			.build();
		this.all = this.pages.andRoute(RequestPredicates.path(settings.path() + "/**"), this::unknown)
			.filter(new RequestFilter(access, views));
	}

	@Override
	public Optional<HandlerFunction<ServerResponse>> route(ServerRequest request) {
		return this.all.route(request);
	}

	private ServerResponse unknown(ServerRequest request) {
		List<String> methods = METHODS.stream()
			.filter((method) -> this.pages.route(withMethod(request, method)).isPresent())
			.map(HttpMethod::name)
			.toList();
		if (methods.isEmpty()) {
			return this.views.error(request, 404, "There is no such page.", true);
		}
		String allowed = String.join(", ", methods);
		return new ResponseWithHeaders(
				this.views.error(request, 405, "This page answers requests by %s only.".formatted(allowed), true),
				Map.of(HttpHeaders.ALLOW, allowed));
	}

	private static ServerRequest withMethod(ServerRequest request, HttpMethod method) {
		HttpServletRequest other = new HttpServletRequestWrapper(request.servletRequest()) {

			@Override
			public String getMethod() {
				return method.name();
			}

		};
		return ServerRequest.create(other, request.messageConverters());
	}

}
