package io.jobqueue.internal.worker.completion;

import java.sql.SQLException;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.transaction.TransactionException;

import io.jobqueue.internal.store.FailureText;

/**
 * The cause for which outcomes could not be written.
 */
enum WriteFailure {

	/**
	 * The database did not answer, or its answer is independent of the outcomes.
	 */
	OUTAGE,

	/**
	 * Another transaction has locked a row or a table.
	 */
	LOCKED,

	/**
	 * The server ended the statement or the transaction because it took too long, or the
	 * memory of the server or of this JVM was exhausted; the batch may be too large.
	 */
	TOO_LARGE,

	/**
	 * A login, a privilege, a database object or a file of the server is missing; no
	 * outcome is the cause.
	 */
	DENIED,

	/**
	 * The server rejected the statement; other outcomes may be written nevertheless.
	 */
	REFUSED,

	/**
	 * The server rejects an outcome because of its data.
	 */
	INVALID;

	private static final String LOCK_NOT_AVAILABLE = "55P03";

	private static final String QUERY_CANCELED = "57014";

	private static final String TRANSACTION_TIMEOUT = "25P04";

	private static final String OF_OUTAGES = "08.*|57P0.|53.*|40.*|25006|25P03";

	private static final String OUT_OF_MEMORY = "53200";

	private static final String OF_ACCESS = "(28|3D|42|58).*";

	static WriteFailure of(Throwable failure) {
		SQLException answer = FailureText.answer(failure);
		if (failure instanceof CannotGetJdbcConnectionException) {
			return OUTAGE;
		}
		if (failure instanceof DataIntegrityViolationException) {
			return INVALID;
		}
		return (answer != null) ? of(answer.getSQLState()) : unanswered(failure);
	}

	private static WriteFailure of(@Nullable String state) {
		if (OUT_OF_MEMORY.equals(state)) {
			return TOO_LARGE;
		}
		if (state == null || state.matches(OF_OUTAGES)) {
			return OUTAGE;
		}
		if (state.matches(OF_ACCESS)) {
			return DENIED;
		}
		return switch (state) {
			case LOCK_NOT_AVAILABLE -> LOCKED;
			case QUERY_CANCELED, TRANSACTION_TIMEOUT -> TOO_LARGE;
			default -> REFUSED;
		};
	}

	/**
	 * Other exceptions are not retried as an outage, since the same outcome would cause
	 * them again.
	 */
	private static WriteFailure unanswered(Throwable failure) {
		if (failure instanceof CannotAcquireLockException) {
			return LOCKED;
		}
		if (failure instanceof OutOfMemoryError) {
			return TOO_LARGE;
		}
		boolean ofDatabase = failure instanceof DataAccessException || failure instanceof TransactionException
				|| failure instanceof Error;
		return ofDatabase ? OUTAGE : REFUSED;
	}

	/**
	 * Return whether to isolate the outcome that causes the failure.
	 * @param again whether the server has answered for the same outcomes before
	 */
	boolean isOfOutcomes(boolean again) {
		return switch (this) {
			case OUTAGE -> false;
			case REFUSED, DENIED -> again;
			case LOCKED, TOO_LARGE, INVALID -> true;
		};
	}

	/**
	 * Return how long to retry an outcome that is refused alone. An operator can grant a
	 * privilege or free memory; a caller that waits gets the failure after a few tries.
	 * @param awaited whether a caller waits for the outcome
	 */
	Duration patience(boolean awaited) {
		return switch (this) {
			case INVALID -> Duration.ZERO;
			case REFUSED -> awaited ? Duration.ZERO : Duration.ofMinutes(1);
			default -> awaited ? Duration.ofSeconds(10) : Duration.ofHours(1);
		};
	}

}
