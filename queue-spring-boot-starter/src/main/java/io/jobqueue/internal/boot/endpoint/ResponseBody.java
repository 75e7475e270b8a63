package io.jobqueue.internal.boot.endpoint;

import java.util.LinkedHashMap;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A JSON object in a response. Actuator's mapper leaves out names without a value.
 */
final class ResponseBody extends LinkedHashMap<String, @Nullable Object> implements OperationResponseBody {

	private static final long serialVersionUID = 1L;

	static ResponseBody of(String name, @Nullable Object value) {
		return new ResponseBody().with(name, value);
	}

	/**
	 * Return the result of an operation.
	 * @param affected the number of jobs that it has changed
	 */
	static ResponseBody ofOperation(String operation, long affected) {
		return of("operation", operation).with("affected", affected);
	}

	ResponseBody with(String name, @Nullable Object value) {
		put(name, value);
		return this;
	}

}
