package io.jobqueue.testpostgres;

import javax.sql.DataSource;

import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database of a test's own, dropped when closed, even with connections to it.
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
	 * Return the URL, for another JVM too. It leads through a pooler if there is one.
	 * @return the JDBC URL
	 */
	public String jdbcUrl() {
		return this.entrance.jdbcUrl(this.name);
	}

	/**
	 * Return the URL that leads past the pooler.
	 * @return the JDBC URL, {@link #jdbcUrl()} if there is no pooler
	 */
	public String directJdbcUrl() {
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
	 * Create a source of connections without a pool in this JVM.
	 * @return a new data source of {@link #jdbcUrl()}
	 */
	public DataSource dataSource() {
		return dataSource(jdbcUrl());
	}

	/**
	 * Create a source of connections that are sessions of the server, whether there is a
	 * pooler or not: for tests that LISTEN, or look at the session that they have.
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
