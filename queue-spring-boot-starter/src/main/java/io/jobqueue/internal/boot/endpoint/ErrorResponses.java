package io.jobqueue.internal.boot.endpoint;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;

import io.jobqueue.ClaimLostException;
import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.JobQueueException;

/**
 * Maps exceptions to responses with a status, a reason and a message.
 */
final class ErrorResponses {

	private static final Logger logger = LoggerFactory.getLogger(ErrorResponses.class);

	private static final int CONFLICT = 409;

	private ErrorResponses() {
	}

	/**
	 * Return the response to a request that failed.
	 * @throws RuntimeException the failure itself, if none of the responses fits
	 */
	static WebEndpointResponse<ResponseBody> answer(RuntimeException failure) {
		if (failure instanceof JobOperationException refusal) {
			return of((refusal.reason() == Reason.UNKNOWN) ? WebEndpointResponse.STATUS_NOT_FOUND : CONFLICT,
					refusal.reason().name(), refusal.getMessage());
		}
		if (failure instanceof IllegalArgumentException) {
			return invalid(failure.getMessage());
		}
		if (failure instanceof CannotAcquireLockException) {
			return of(CONFLICT, "LOCKED",
					"The job, its key or the schedule is locked by another transaction; try again");
		}
		if (failure instanceof JobQueueException) {
			return (failure instanceof ClaimLostException) ? of(CONFLICT, "CLAIM_LOST", failure.getMessage())
					: of(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, "UNAVAILABLE", failure.getMessage());
		}
		if (failure instanceof DataAccessException) {
			logger.warn("The endpoint could not answer a request", failure);
			return of(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, "UNAVAILABLE",
					"The database failed; see the log, and try again");
		}
		throw failure;
	}

	static WebEndpointResponse<ResponseBody> invalid(@Nullable String message) {
		return of(WebEndpointResponse.STATUS_BAD_REQUEST, "INVALID", message);
	}

	static WebEndpointResponse<ResponseBody> unknown(String message) {
		return of(WebEndpointResponse.STATUS_NOT_FOUND, Reason.UNKNOWN.name(), message);
	}

	private static WebEndpointResponse<ResponseBody> of(int status, String reason, @Nullable String message) {
		return new WebEndpointResponse<>(ResponseBody.of("reason", reason).with("message", message), status);
	}

}
