package io.jobqueue.internal.dashboard.routing;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RequestPredicate;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

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

	private static final String EACH = "/**";

	private final String path;

	private final RequestPredicate below;

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
		this.path = settings.path();
		this.below = RequestPredicates.path(this.path + EACH);
		this.views = views;
		RouterFunctions.Builder builder = RouterFunctions.route();
		pages.forEach((routes) -> routes.addTo(builder));
		this.pages = builder.build();
		this.all = this.pages.andRoute(RequestPredicates.all(), this::unknown).filter(new RequestFilter(access, views));
	}

	@Override
	public Optional<HandlerFunction<ServerResponse>> route(ServerRequest request) {
		if (!this.below.test(request)) {
			return Optional.empty();
		}
		request.attributes().remove(RouterFunctions.MATCHING_PATTERN_ATTRIBUTE);
		Optional<HandlerFunction<ServerResponse>> page = this.all.route(relative(request, request.method()));
		request.attributes().compute(RouterFunctions.MATCHING_PATTERN_ATTRIBUTE, this::absolute);
		return page;
	}

	private ServerRequest relative(ServerRequest request, HttpMethod method) {
		return RelativeRequest.of(request, this.path, method);
	}

	/**
	 * Requests are measured by their pattern.
	 */
	private PathPattern absolute(String name, @Nullable Object below) {
		return PathPatternParser.defaultInstance.parse(this.path + ((below != null) ? below : EACH));
	}

	private ServerResponse unknown(ServerRequest request) {
		List<String> methods = METHODS.stream()
			.filter((method) -> this.pages.route(relative(request, method)).isPresent())
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

}
