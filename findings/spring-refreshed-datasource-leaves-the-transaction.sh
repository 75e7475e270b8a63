#!/usr/bin/env bash
# Spring Framework 7.0.9, JdbcTransactionManager and JdbcTemplate on a scoped proxy of a DataSource, as a refresh scope
# makes it, with H2 2.4.240.
# Expected: what is written within a transaction is part of it, or fails, also after the scope has replaced its beans.
# Seen: after the replacement the same JdbcTemplate writes on a connection of the new target, in auto-commit mode: the
# second row stays although the transaction rolls back. The rollback throws an IllegalStateException ("No value for
# key"), and the first target's connection stays bound to the thread.
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
			<artifactId>spring-context</artifactId>
			<version>7.0.9</version>
		</dependency>
		<dependency>
			<groupId>org.springframework</groupId>
			<artifactId>spring-jdbc</artifactId>
			<version>7.0.9</version>
		</dependency>
		<dependency>
			<groupId>com.h2database</groupId>
			<artifactId>h2</artifactId>
			<version>2.4.240</version>
		</dependency>
	</dependencies>
</project>
POM
mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies -DoutputDirectory=lib

cat >Refreshed.java <<'JAVA'
import java.util.HashMap;
import java.util.Map;

import javax.sql.DataSource;

import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.Scope;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

public class Refreshed {

	static final Map<String, Object> BEANS = new HashMap<>();

	public static void main(String[] args) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getBeanFactory().registerScope("refreshed", new Refresh());
		context.register(Refreshed.class);
		context.refresh();
		DataSource dataSource = context.getBean("dataSource", DataSource.class);
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		jdbc.execute("CREATE TABLE entry (name VARCHAR(20))");
		try {
			new TransactionTemplate(new JdbcTransactionManager(dataSource)).executeWithoutResult((status) -> {
				jdbc.update("INSERT INTO entry VALUES ('before')");
				BEANS.clear();
				jdbc.update("INSERT INTO entry VALUES ('after')");
				status.setRollbackOnly();
			});
		}
		catch (RuntimeException ex) {
			System.out.println(ex.getClass().getSimpleName() + " " + ex.getMessage().startsWith("No value for key"));
		}
		System.out.println("rows " + jdbc.queryForList("SELECT name FROM entry", String.class));
		System.out.println("bound " + TransactionSynchronizationManager.getResourceMap().size());
	}

	@Bean
	@org.springframework.context.annotation.Scope(value = "refreshed", proxyMode = ScopedProxyMode.INTERFACES)
	DataSource dataSource() {
		return new DriverManagerDataSource("jdbc:h2:mem:example;DB_CLOSE_DELAY=-1");
	}

	static class Refresh implements Scope {

		@Override
		public Object get(String name, ObjectFactory<?> factory) {
			return BEANS.computeIfAbsent(name, (absent) -> factory.getObject());
		}

		@Override
		public Object remove(String name) {
			return BEANS.remove(name);
		}

		@Override
		public void registerDestructionCallback(String name, Runnable callback) {
		}

		@Override
		public Object resolveContextualObject(String key) {
			return null;
		}

		@Override
		public String getConversationId() {
			return null;
		}

	}

}
JAVA
java -cp 'lib/*' Refreshed.java | tee seen

diff - seen <<'EXPECTED'
IllegalStateException true
rows [after]
bound 1
EXPECTED
