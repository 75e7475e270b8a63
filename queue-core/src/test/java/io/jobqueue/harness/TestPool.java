package io.jobqueue.harness;

import java.time.Duration;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/**
 * Pools of connections, since a test that opens one for each statement spends most of its
 * time on that.
 */
public final class TestPool {

	private TestPool() {
	}

	/**
	 * Create a pool that has no connection before it is asked for one.
	 * @param dataSource where it gets connections
	 * @param size how many it has at most
	 * @return the pool
	 */
	public static HikariDataSource of(DataSource dataSource, int size) {
		return of(dataSource, size, Duration.ofSeconds(30));
	}

	/**
	 * Create a pool that has no connection before it is asked for one. The timeout is set
	 * before the pool exists, which reads a later one only every 30 s.
	 * @param dataSource where it gets connections
	 * @param size how many it has at most
	 * @param connectionTimeout how long it waits for one
	 * @return the pool
	 */
	public static HikariDataSource of(DataSource dataSource, int size, Duration connectionTimeout) {
		HikariConfig config = new HikariConfig();
		config.setDataSource(dataSource);
		config.setMaximumPoolSize(size);
		config.setConnectionTimeout(connectionTimeout.toMillis());
		config.setMinimumIdle(0);
		config.setInitializationFailTimeout(-1);
		return new HikariDataSource(config);
	}

}
