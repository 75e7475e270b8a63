package io.jobqueue.internal.dashboard.view;

import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.util.StringUtils;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * The path of a request in two parts.
 *
 * @param base the path of the dashboard as the browser sees it: with the context path of
 * the application, that of its dispatcher servlet, and the prefix of a proxy if the
 * application evaluates its headers
 * @param below the rest, encoded as the browser has sent it
 */
public record RequestLocation(String base, String below) {

	/**
	 * Split the path of a request.
	 * @param request a request below the path of the dashboard
	 * @param path the path of the dashboard in the application
	 * @return both parts
	 */
	public static RequestLocation of(ServerRequest request, String path) {
		RequestPath all = request.requestPath();
		PathContainer within = all.pathWithinApplication();
		String before = all.value().substring(0, all.value().length() - within.value().length());
		int separatorsAndSegments = 2 * StringUtils.countOccurrencesOf(path, "/");
		return new RequestLocation(before + path, within.subPath(separatorsAndSegments).value());
	}

}
