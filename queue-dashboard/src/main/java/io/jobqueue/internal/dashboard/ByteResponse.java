package io.jobqueue.internal.dashboard;

import java.util.Map;

import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Creates responses with bytes, which need no converter of the application.
 */
public final class ByteResponse {

	private ByteResponse() {
	}

	/**
	 * Return a response.
	 * @param status its status
	 * @param type the type of the content
	 * @param content the content
	 * @return the response
	 */
	public static ServerResponse of(int status, MediaType type, byte[] content) {
		return of(status, type, content, Map.of());
	}

	/**
	 * Return a response with headers in place of those that all responses of the
	 * dashboard have.
	 * @param status its status
	 * @param type the type of the content
	 * @param content the content
	 * @param headers the headers
	 * @return the response
	 */
	public static ServerResponse of(int status, MediaType type, byte[] content, Map<String, String> headers) {
		return ServerResponse.status(status)
			.contentType(type)
			.contentLength(content.length)
			.build((servletRequest, servletResponse) -> {
				headers.forEach(servletResponse::setHeader);
				servletResponse.getOutputStream().write(content);
				return null;
			});
	}

}
