package io.jobqueue.benchmark.chaos;

import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.aop.scope.ScopedObject;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A pool that can be replaced while it is in use, like a bean of a refreshed scope:
 * Spring finds the connection of a transaction by the pool that serves at that moment.
 */
final class ReplaceablePool extends DelegatingDataSource implements ScopedObject, AutoCloseable {

	private final Supplier<HikariDataSource> factory;

	private volatile HikariDataSource pool;

	/**
	 * Create the first pool.
	 * @param factory creates the pools
	 */
	ReplaceablePool(Supplier<HikariDataSource> factory) {
		this.factory = factory;
		this.pool = factory.get();
	}

	/**
	 * Switch to a new pool, and close the old one with all its connections.
	 * @return the number of connections that were in use
	 */
	synchronized int replace() {
		try (HikariDataSource old = this.pool) {
			this.pool = this.factory.get();
			return (old.getHikariPoolMXBean() != null) ? old.getHikariPoolMXBean().getActiveConnections() : 0;
		}
	}

	@Override
	public DataSource getTargetDataSource() {
		return this.pool;
	}

	@Override
	public Object getTargetObject() {
		return this.pool;
	}

	@Override
	public void removeFromScope() {
		replace();
	}

	@Override
	public void close() {
		this.pool.close();
	}

}
