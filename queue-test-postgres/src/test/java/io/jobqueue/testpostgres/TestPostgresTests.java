package io.jobqueue.testpostgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TestPostgresTests {

	@Test
	void freshDatabasesShareNothing() throws SQLException {
		try (TestDatabase one = TestPostgres.freshDatabase(); TestDatabase other = TestPostgres.freshDatabase()) {
			assertThat(queryForObject(one, "SELECT 1 AS x")).isEqualTo("1");
			assertThat(queryForObject(one, "CREATE TABLE thing AS SELECT 1; SELECT count(*) FROM thing"))
				.isEqualTo("1");
			assertThatExceptionOfType(SQLException.class)
				.isThrownBy(() -> queryForObject(other, "SELECT count(*) FROM thing"));
		}
	}

	@Test
	void copiesArePreparedOnceAndShareNothing() throws SQLException {
		List<TestDatabase> prepared = new ArrayList<>();
		try (TestDatabase one = TestPostgres.copyOf("thing", (original) -> createThing(original, prepared));
				TestDatabase other = TestPostgres.copyOf("thing", (original) -> createThing(original, prepared))) {
			assertThat(prepared).hasSize(1);
			assertThat(queryForObject(one, "DELETE FROM thing; SELECT count(*) FROM thing")).isEqualTo("0");
			assertThat(queryForObject(other, "SELECT count(*) FROM thing")).isEqualTo("1");
		}
	}

	@Test
	void templatesDifferByName() throws SQLException {
		try (TestDatabase one = TestPostgres.copyOf("one", (original) -> createThing(original, new ArrayList<>()));
				TestDatabase other = TestPostgres.copyOf("other", (original) -> {
				})) {
			assertThat(queryForObject(one, "SELECT count(*) FROM thing")).isEqualTo("1");
			assertThatExceptionOfType(SQLException.class)
				.isThrownBy(() -> queryForObject(other, "SELECT count(*) FROM thing"));
		}
	}

	private static void createThing(TestDatabase database, List<TestDatabase> prepared) {
		prepared.add(database);
		try {
			queryForObject(database, "CREATE TABLE thing AS SELECT 1; SELECT 1");
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void closedDatabaseIsGoneEvenWhenConnected() throws SQLException {
		TestDatabase database = TestPostgres.freshDatabase();
		try (Connection connection = database.dataSource().getConnection()) {
			assertThat(connection.isValid(1)).isTrue();
			database.close();
			assertThat(connection.isValid(1)).isFalse();
		}
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> database.dataSource().getConnection());
	}

	@Test
	void externalServerKeepsItsParameters() {
		PostgresServer server = PostgresServer
			.external("jdbc:postgresql://one:5432,two/postgres?user=me&password=secret&sslcert=/a/b");
		assertThat(server.username()).isEqualTo("me");
		assertThat(server.password()).isEqualTo("secret");
		assertThat(server.jdbcUrl("mine"))
			.isEqualTo("jdbc:postgresql://one:5432,two/mine?user=me&password=secret&sslcert=/a/b");
	}

	@Test
	void externalServerMustBePostgres() {
		assertThatIllegalArgumentException().isThrownBy(() -> PostgresServer.external("jdbc:h2:mem:x"))
			.withMessage("'QUEUE_TEST_POSTGRES_URL' must be a JDBC URL of PostgreSQL");
	}

	private static String queryForObject(TestDatabase database, String sql) throws SQLException {
		try (Connection connection = database.dataSource().getConnection();
				Statement statement = connection.createStatement()) {
			boolean isResult = statement.execute(sql);
			while (!isResult) {
				isResult = statement.getMoreResults();
			}
			try (ResultSet result = statement.getResultSet()) {
				result.next();
				return result.getString(1);
			}
		}
	}

}
