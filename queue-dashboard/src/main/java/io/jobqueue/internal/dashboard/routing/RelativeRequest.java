package io.jobqueue.internal.dashboard.routing;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.http.server.RequestPath;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * A request whose path begins below that of the dashboard. Spring's nested routes do the
 * same, but not in an application with a path of its dispatcher servlet.
 */
final class RelativeRequest extends HttpServletRequestWrapper {

	private final HttpMethod method;

	private final RequestPath path;

	private RelativeRequest(HttpServletRequest request, HttpMethod method, RequestPath path) {
		super(request);
		this.method = method;
		this.path = path;
	}

	/**
	 * Return a request that finds a route.
	 * @param path its path below that of the dashboard
	 * @param method the method, which may be another one than that of the request
	 */
	static ServerRequest of(ServerRequest request, String path, HttpMethod method) {
		return ServerRequest.create(
				new RelativeRequest(request.servletRequest(), method, RequestPath.parse(path, null)),
				request.messageConverters());
	}

	@Override
	public String getMethod() {
		return this.method.name();
	}

	@Override
	public @Nullable Object getAttribute(String name) {
		return name.equals(ServletRequestPathUtils.PATH_ATTRIBUTE) ? this.path : super.getAttribute(name);
	}

}
