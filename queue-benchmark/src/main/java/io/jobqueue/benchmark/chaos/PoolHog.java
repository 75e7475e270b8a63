package io.jobqueue.benchmark.chaos;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.support.JdbcUtils;

/**
 * Takes all connections of a pool, one after the other as they become free, and holds
 * them for a while.
 */
final class PoolHog extends Thread {

	private static final Logger logger = LoggerFactory.getLogger(PoolHog.class);

	private final DataSource pool;

	private final Duration time;

	private final List<Connection> held = new ArrayList<>();

	PoolHog(DataSource pool, Duration time) {
		super("pool-hog");
		setDaemon(true);
		this.pool = pool;
		this.time = time;
	}

	@Override
	public void run() {
		try {
			take();
			Thread.sleep(this.time.toMillis());
		}
		catch (SQLException ex) {
			logger.warn("Got only {} connections", this.held.size(), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.held.forEach(JdbcUtils::closeConnection);
		}
	}

	private void take() throws SQLException {
		while (this.held.size() < ChaosApplication.POOL_SIZE) {
			this.held.add(this.pool.getConnection());
		}
	}

}
