package io.jobqueue.testpostgres;

import javax.sql.DataSource;

import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database for a single test. Closing it drops the database and ends its connections.
 */
public final class TestDatabase implements AutoCloseable {

	private final PostgresServer server;

	private final PostgresServer entrance;

	private final String name;

	TestDatabase(PostgresServer server, PostgresServer entrance, String name) {
		this.server = server;
		this.entrance = entrance;
		this.name = name;
	}

	String name() {
		return this.name;
	}

	/**
	 * Return the URL, which connects through a pooler if one is configured. Other JVMs
	 * can use it, too.
	 * @return the JDBC URL
	 */
	public String jdbcUrl() {
		return this.entrance.jdbcUrl(this.name);
	}

	/**
	 * Return the URL that connects without the pooler.
	 * @return the JDBC URL, {@link #jdbcUrl()} if there is no pooler
	 */
	public String directJdbcUrl() {
		return this.server.jdbcUrl(this.name);
	}

	/**
	 * Return the user name.
	 * @return the name of a superuser
	 */
	public String username() {
		return this.server.username();
	}

	/**
	 * Return the password of {@link #username()}.
	 * @return the password, empty if none is required
	 */
	public String password() {
		return this.server.password();
	}

	/**
	 * Create a data source without a pool in this JVM.
	 * @return a new data source of {@link #jdbcUrl()}
	 */
	public DataSource dataSource() {
		return dataSource(jdbcUrl());
	}

	/**
	 * Create a data source that connects without the pooler, for tests that use LISTEN or
	 * inspect their session.
	 * @return a new data source
	 */
	public DataSource directDataSource() {
		return dataSource(directJdbcUrl());
	}

	private DataSource dataSource(String url) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(url);
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
