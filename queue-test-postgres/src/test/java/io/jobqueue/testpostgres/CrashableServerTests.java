package io.jobqueue.testpostgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("slow") // kills servers
class CrashableServerTests {

	@Test
	void whatWasCommittedSurvivesACrash() throws SQLException {
		try (CrashableServer server = new CrashableServer(); Connection before = server.dataSource().getConnection()) {
			String url = server.jdbcUrl();
			execute(before, "CREATE TABLE note (id integer)");
			execute(before, "INSERT INTO note VALUES (1)");
			before.setAutoCommit(false);
			execute(before, "INSERT INTO note VALUES (2)");
			server.crash();
			assertThatExceptionOfType(SQLException.class).isThrownBy(before::commit);
			assertThat(server.jdbcUrl()).isEqualTo(url);
			try (Connection after = server.dataSource().getConnection();
					Statement statement = after.createStatement();
					ResultSet rows = statement.executeQuery("SELECT sum(id) FROM note")) {
				assertThat(rows.next()).isTrue();
				assertThat(rows.getInt(1)).isEqualTo(1);
			}
		}
	}

	private static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

}
