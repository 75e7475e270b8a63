package io.jobqueue.internal.dashboard.routing;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
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
import io.jobqueue.internal.dashboard.view.RequestLocation;
import io.jobqueue.internal.dashboard.view.Views;

/**
 * Routes each request below the path of the dashboard: to a page, or to an error page of
 * the dashboard.
 */
public final class DashboardRouter implements RouterFunction<ServerResponse> {

	private static final List<HttpMethod> METHODS = List.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.POST);

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
		Optional<HandlerFunction<ServerResponse>> page = this.all.route(relative(request, routed(request.method())));
		request.attributes().compute(RouterFunctions.MATCHING_PATTERN_ATTRIBUTE, this::absolute);
		return page;
	}

	/**
	 * Return the method by which a page is found. Servers send no body in response to
	 * {@code HEAD}.
	 */
	private static HttpMethod routed(HttpMethod method) {
		return HttpMethod.HEAD.equals(method) ? HttpMethod.GET : method;
	}

	private ServerRequest relative(ServerRequest request, HttpMethod method) {
		return RelativeRequest.of(request, RequestLocation.of(request, this.path).below(), method);
	}

	/**
	 * Requests are measured by their pattern.
	 */
	private PathPattern absolute(String name, @Nullable Object below) {
		return PathPatternParser.defaultInstance.parse(this.path + ((below != null) ? below : EACH));
	}

	private ServerResponse unknown(ServerRequest request) {
		List<String> methods = METHODS.stream()
			.filter((method) -> isRouted(request, method))
			.map(HttpMethod::name)
			.toList();
		if (methods.isEmpty()) {
			return withoutSlash(request)
				.orElseGet(() -> this.views.error(request, 404, "There is no such page.", true));
		}
		String allowed = String.join(", ", methods);
		return new ResponseWithHeaders(
				this.views.error(request, 405, "This page answers requests by %s only.".formatted(allowed), true),
				Map.of(HttpHeaders.ALLOW, allowed));
	}

	/**
	 * A route that has matched leaves its pattern in the request. Spring appends that of
	 * the next one to it, and refuses the same variable twice.
	 */
	private boolean isRouted(ServerRequest request, HttpMethod method) {
		request.attributes().remove(RouterFunctions.MATCHING_PATTERN_ATTRIBUTE);
		return this.pages.route(relative(request, routed(method))).isPresent();
	}

	/**
	 * Return a redirect to the page without the slash at the end of the path.
	 */
	private Optional<ServerResponse> withoutSlash(ServerRequest request) {
		RequestLocation location = RequestLocation.of(request, this.path);
		String below = location.below();
		if (!HttpMethod.GET.equals(routed(request.method())) || !below.endsWith("/")) {
			return Optional.empty();
		}
		String page = below.substring(0, below.length() - 1);
		if (this.pages.route(RelativeRequest.of(request, page, HttpMethod.GET)).isEmpty()) {
			return Optional.empty();
		}
		String query = request.servletRequest().getQueryString();
		return Optional.of(ServerResponse.status(HttpStatus.PERMANENT_REDIRECT)
			.location(URI.create(location.base() + page + ((query != null) ? "?" + query : "")))
			.build());
	}

}
