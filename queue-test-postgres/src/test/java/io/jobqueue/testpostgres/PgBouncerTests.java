package io.jobqueue.testpostgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@EnabledIfEnvironmentVariable(named = TestPostgres.PGBOUNCER, matches = ".+")
@Tag("pooler") // starts PgBouncer
class PgBouncerTests {

	@Test
	void connectionsShareSessionsUnlessTheyAreDirect() throws SQLException {
		try (TestDatabase database = TestPostgres.freshDatabase()) {
			assertThat(sessionsOfTwo(database.dataSource())).isEqualTo(1);
			assertThat(sessionsOfTwo(database.directDataSource())).isEqualTo(2);
		}
	}

	@Test
	void programThatDoesNotStartIsShown() {
		PostgresServer server = new PostgresServer("jdbc:postgresql://localhost/postgres", "nobody", "");
		assertThatIllegalStateException().isThrownBy(() -> PgBouncer.inFrontOf(server, "/bin/ls"))
			.withMessageContaining("unrecognized option");
	}

	private static int sessionsOfTwo(DataSource dataSource) throws SQLException {
		try (Connection one = dataSource.getConnection(); Connection other = dataSource.getConnection()) {
			return (session(one) == session(other)) ? 1 : 2;
		}
	}

	private static int session(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
			row.next();
			return row.getInt(1);
		}
	}

}
