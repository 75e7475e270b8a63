package io.jobqueue.internal.store.postgresql.schema;

import java.sql.SQLException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What to do when connections are refused, by the SQLState of the refusal.
 */
class UnreachableDatabaseTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					08001 | Start the database, or correct host and port in 'spring.datasource.url'.
					3D000 | Create the database, or correct its name in 'spring.datasource.url'.
					28000 | Correct 'spring.datasource.username', create the user, or add it to pg_hba.conf.
					42501 | Grant the user CONNECT on the database.
					53300 | Close other connections, or raise 'max_connections' of the server.
					08P01 | Change what the message names, in 'spring.datasource.url' or in the configuration of the server or pooler: PgBouncer, for example, needs the database in its [databases], and the names of unsupported parameters in 'ignore_startup_parameters'.
					""")
	void actionFitsTheRefusal(String state, String action) {
		SQLException refusal = new SQLException("FATAL: refused", state);
		UnusableDatabaseException exception = UnusableDatabaseException
			.unreachable(new SQLException("No connection", refusal));
		assertThat(exception.description()).isEqualTo("The job queue cannot reach its database: FATAL: refused.");
		assertThat(exception.action()).isEqualTo(action);
	}

	@Test
	void causesMayBeCyclic() {
		SQLException refusal = new SQLException("FATAL: refused", "3D000");
		refusal.initCause(new SQLException("No connection", refusal));
		assertThat(UnusableDatabaseException.unreachable(refusal).description())
			.isEqualTo("The job queue cannot reach its database: FATAL: refused (SQLException: No connection).");
	}

}
