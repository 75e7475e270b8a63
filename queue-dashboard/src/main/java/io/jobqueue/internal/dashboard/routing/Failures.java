package io.jobqueue.internal.dashboard.routing;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.ClaimLostException;
import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.JobQueueException;
import io.jobqueue.internal.dashboard.RefusedRequestException;
import io.jobqueue.internal.dashboard.view.Views;

/**
 * Answers what pages throw. No answer contains the message of an exception that is not
 * ours, or a stack trace.
 */
final class Failures {

	private static final Logger logger = LoggerFactory.getLogger(Failures.class);

	private static final int CONFLICT = 409;

	private static final int UNAVAILABLE = 503;

	private final Views views;

	Failures(Views views) {
		this.views = views;
	}

	ServerResponse answer(ServerRequest request, Exception failure) {
		if (failure instanceof RefusedRequestException refusal) {
			return error(request, refusal.status(), refusal);
		}
		if (failure instanceof JobOperationException refusal) {
			return error(request, (refusal.reason() == Reason.UNKNOWN) ? 404 : CONFLICT, refusal);
		}
		if (failure instanceof IllegalArgumentException) {
			return error(request, 400, failure);
		}
		if (failure instanceof JobQueueException) {
			return error(request, (failure instanceof ClaimLostException) ? CONFLICT : UNAVAILABLE, failure);
		}
		if (failure instanceof CannotAcquireLockException) {
			return this.views.error(request, CONFLICT,
					"The job, its key or the schedule is locked by another transaction; try again.", true);
		}
		return logged(request, failure);
	}

	private ServerResponse logged(ServerRequest request, Exception failure) {
		logger.warn("The dashboard could not answer a request", failure);
		return (failure instanceof DataAccessException || failure instanceof TransactionException)
				? this.views.error(request, UNAVAILABLE, "The database failed; see the log, and try again.", true)
				: this.views.error(request, 500, "The page failed; see the log.", true);
	}

	private ServerResponse error(ServerRequest request, int status, Exception failure) {
		return this.views.error(request, status, String.valueOf(failure.getMessage()), true);
	}

}
