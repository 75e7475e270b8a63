package io.jobqueue.internal.dashboard.routing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.http.HttpMethod;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionException;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.ClaimLostException;
import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.JobQueueException;
import io.jobqueue.internal.dashboard.RefusedRequestException;
import io.jobqueue.internal.dashboard.view.Views;
import io.jobqueue.internal.store.FailureText;

/**
 * Answers what pages throw. No answer contains the message of an exception that is not
 * ours, or a stack trace.
 */
final class Failures {

	private static final Logger logger = LoggerFactory.getLogger(Failures.class);

	private static final int CONFLICT = 409;

	private static final int UNAVAILABLE = 503;

	/**
	 * Open pages refresh more often.
	 */
	private static final Duration SAME_OUTAGE = Duration.ofMinutes(1);

	private final Views views;

	private final LongSupplier nanoTime;

	/**
	 * The time of the last failure of the database.
	 */
	private final AtomicReference<@Nullable Long> lastOutage = new AtomicReference<>();

	Failures(Views views, LongSupplier nanoTime) {
		this.views = views;
		this.nanoTime = nanoTime;
	}

	ServerResponse answer(ServerRequest request, Exception failure) {
		if (failure instanceof RefusedRequestException refusal) {
			return error(request, refusal.status(), refusal);
		}
		if (failure instanceof JobOperationException refusal) {
			return error(request, status(refusal.reason()), refusal);
		}
		if (failure instanceof IllegalArgumentException) {
			return error(request, 400, failure);
		}
		if (failure instanceof JobQueueException) {
			return error(request, (failure instanceof ClaimLostException) ? CONFLICT : UNAVAILABLE, failure);
		}
		if (failure instanceof CannotAcquireLockException && isAction(request)) {
			return this.views.error(request, UNAVAILABLE,
					"The job, its key, the schedule or a table is locked by another transaction; try again.", true);
		}
		return logged(request, failure);
	}

	/**
	 * Actions of the dashboard are blocked by the lock of a schedule.
	 */
	private static int status(Reason reason) {
		return switch (reason) {
			case UNKNOWN -> 404;
			case BLOCKED -> UNAVAILABLE;
			default -> CONFLICT;
		};
	}

	private static boolean isAction(ServerRequest request) {
		return HttpMethod.POST.equals(request.method());
	}

	private ServerResponse logged(ServerRequest request, Exception failure) {
		if (failure instanceof InvalidDataAccessResourceUsageException) {
			logOutage(failure);
			return this.views.error(request, UNAVAILABLE,
					"The database lacks a table or a column that this page reads: the tables may be older than the application. Migrate them, or see the log.",
					true);
		}
		if (isWithoutAnswer(failure)) {
			logOutage(failure);
			return this.views.error(request, UNAVAILABLE,
					isAction(request) ? unanswered(failure) : "The database did not answer in time; try again.", true);
		}
		logger.warn("The dashboard could not answer a request", failure);
		return (failure instanceof DataAccessException)
				? this.views.error(request, UNAVAILABLE, "The database failed; see the log, and try again.", true)
				: this.views.error(request, 500, "The page failed; see the log.", true);
	}

	private static String unanswered(Exception failure) {
		return (failure instanceof CannotGetJdbcConnectionException
				|| failure instanceof CannotCreateTransactionException)
						? "There was no connection to the database in time. Nothing was changed; try again."
						: "The database did not answer. The action may have been done: look before you repeat it.";
	}

	/**
	 * Return whether the database, a connection or a lock was not available in time.
	 */
	private static boolean isWithoutAnswer(Exception failure) {
		return failure instanceof CannotAcquireLockException || failure instanceof QueryTimeoutException
				|| failure instanceof DataAccessResourceFailureException || failure instanceof TransactionException;
	}

	/**
	 * Log one line for each outage: failures less than a minute apart are one.
	 */
	private void logOutage(Exception failure) {
		long now = this.nanoTime.getAsLong();
		Long last = this.lastOutage.getAndSet(now);
		if (last == null || now - last >= SAME_OUTAGE.toNanos()) {
			logger.warn("The database does not answer the dashboard, whose pages answer 503 until it does: {}",
					FailureText.of(failure));
		}
		logger.debug("The dashboard could not answer a request", failure);
	}

	private ServerResponse error(ServerRequest request, int status, Exception failure) {
		return this.views.error(request, status, String.valueOf(failure.getMessage()), true);
	}

}
