package io.jobqueue.testpostgres;

import javax.sql.DataSource;

import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database of a test's own, gone when closed, whoever is still connected to it.
 */
public final class TestDatabase implements AutoCloseable {

	private final PostgresServer server;

	private final String name;

	TestDatabase(PostgresServer server, String name) {
		this.server = server;
		this.name = name;
	}

	/**
	 * Return the URL, for another JVM too.
	 * @return the JDBC URL
	 */
	public String jdbcUrl() {
		return this.server.jdbcUrl(this.name);
	}

	/**
	 * Return who may connect.
	 * @return the name of a superuser
	 */
	public String username() {
		return this.server.username();
	}

	/**
	 * Return the password of {@link #username()}.
	 * @return the password, empty where none is asked for
	 */
	public String password() {
		return this.server.password();
	}

	/**
	 * Create a source of connections without a pool.
	 * @return a new data source
	 */
	public DataSource dataSource() {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(jdbcUrl());
		dataSource.setUser(username());
		dataSource.setPassword(password());
		return dataSource;
	}

	@Override
	public void close() {
		this.server.execute("DROP DATABASE IF EXISTS %s WITH (FORCE)".formatted(this.name));
	}

	@Override
	public String toString() {
		return jdbcUrl();
	}

}
