package io.jobqueue.internal.dashboard.routing;

import java.io.IOException;
import java.util.Map;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.util.MultiValueMap;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * A response with headers that it may replace when it is written.
 *
 * @param response the response
 * @param added the headers
 */
record ResponseWithHeaders(ServerResponse response, Map<String, String> added) implements ServerResponse {

	@Override
	public HttpStatusCode statusCode() {
		return this.response.statusCode();
	}

	@Override
	public HttpHeaders headers() {
		return this.response.headers();
	}

	@Override
	public MultiValueMap<String, Cookie> cookies() {
		return this.response.cookies();
	}

	@Override
	public @Nullable ModelAndView writeTo(HttpServletRequest servletRequest, HttpServletResponse servletResponse,
			Context context) throws ServletException, IOException {
		this.added.forEach(servletResponse::setHeader);
		return this.response.writeTo(servletRequest, servletResponse, context);
	}

}
