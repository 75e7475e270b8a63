package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessException;

import io.jobqueue.internal.store.FailureText;

/**
 * Rows that the database refuses to write. They are passed, so that they do not block
 * others, and written in a later run once their cause is removed.
 */
final class RefusedRows {

	/**
	 * SQLState classes of failures that are not caused by a row: connection, read-only
	 * transaction, resources, operator intervention, system error.
	 */
	private static final Set<String> OF_THE_SERVER = Set.of("08", "25", "53", "57", "58");

	private static final Logger logger = LoggerFactory.getLogger(RefusedRows.class);

	private final Set<String> logged = ConcurrentHashMap.newKeySet();

	/**
	 * Rethrow a failure that no row has caused: it would repeat for each row.
	 */
	static void require(DataAccessException ex) {
		SQLException answer = FailureText.answer(ex);
		String state = (answer != null) ? answer.getSQLState() : null;
		if (ex instanceof TransientDataAccessException || state == null
				|| OF_THE_SERVER.stream().anyMatch(state::startsWith)) {
			throw ex;
		}
	}

	/**
	 * Log the refusal of a row: at ERROR the first time, then at DEBUG.
	 * @param ex the failure, rethrown if no row has caused it
	 * @param row what could not be done with which row
	 */
	void log(DataAccessException ex, String row) {
		require(ex);
		logger.atLevel(this.logged.add(row) ? Level.ERROR : Level.DEBUG)
			.log("{}; will retry: {}", row, FailureText.of(ex));
	}

}
