package io.jobqueue.internal.store.postgresql.schema;

import java.sql.ResultSet;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;

import io.jobqueue.internal.store.postgresql.transaction.Schema;

/**
 * Warns if the sequence of {@code seq} is behind the jobs, as after a logical replication
 * or a {@code COPY} of the tables: new jobs would overtake older ones of their ordering
 * key.
 */
final class SequenceCheck {

	private static final Logger logger = LoggerFactory.getLogger(SequenceCheck.class);

	/**
	 * No index has the greatest number, but the newest ids have about the greatest ones:
	 * unless the clocks of producers differ by 100 jobs, one of the read jobs is beyond a
	 * sequence that is behind.
	 */
	private static final String READ = """
			WITH newest AS (
			    (SELECT seq FROM jobqueue_job ORDER BY id DESC LIMIT 100)
			    UNION ALL
			    (SELECT seq FROM jobqueue_archive ORDER BY id DESC LIMIT 100)
			), compared AS (
			    SELECT s.name, g.seq, CASE WHEN has_sequence_privilege(s.name, 'SELECT, USAGE')
			                               THEN coalesce(pg_sequence_last_value(s.name), 0) END AS last
			    FROM (SELECT max(seq) AS seq FROM newest) g
			    CROSS JOIN (SELECT pg_get_serial_sequence(?, 'seq')::regclass AS name) s
			)
			SELECT name, quote_literal(name) AS literal, seq, last FROM compared WHERE last < seq
			""";

	private static final String TABLE = "jobqueue_job";

	private static final String HIGHEST = "SELECT max(seq) FROM jobqueue_jobs";

	private SequenceCheck() {
	}

	/**
	 * Check the sequence. This is skipped if the user may not read it, and after a
	 * timeout.
	 */
	static void check(DataSource dataSource, Schema schema) {
		RowCallbackHandler warning = (row) -> warn(row, schema);
		try {
			new JdbcTemplate(dataSource).query(schema.in(READ), warning, schema.in(TABLE));
		}
		catch (DataAccessException ex) {
			logger.debug("Could not compare the sequence of the jobs with their numbers", ex);
		}
	}

	private static void warn(ResultSet row, Schema schema) throws SQLException {
		logger.warn(
				"The sequence {} is at {}, but there are jobs up to {}: new jobs overtake older ones of their ordering key. Set it, as the owner of the tables: SELECT setval({}, ({}))",
				row.getString("name"), row.getLong("last"), row.getLong("seq"), row.getString("literal"),
				schema.in(HIGHEST));
	}

}
