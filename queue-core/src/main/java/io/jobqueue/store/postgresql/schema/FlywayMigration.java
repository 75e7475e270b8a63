package io.jobqueue.store.postgresql.schema;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogCreator;
import org.flywaydb.core.api.logging.LogFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Applies the migrations with a Flyway of the queue's own. Only loaded where one is
 * missing.
 */
final class FlywayMigration {

	private final DataSource dataSource;

	private final String schema;

	private final boolean createSchema;

	FlywayMigration(DataSource dataSource, String schema, boolean createSchema) {
		this.dataSource = dataSource;
		this.schema = schema;
		this.createSchema = createSchema;
	}

	/**
	 * Apply what is missing. Flyway asks for two connections, one of which holds its lock
	 * in a transaction while the other migrates; here both are the same one, as each
	 * migration ends that transaction only with its own commit. A pool may have one
	 * connection.
	 */
	void run() throws SQLException {
		try (Connection connection = this.dataSource.getConnection()) {
			Flyway flyway = flyway(new SingleConnectionDataSource(connection, true));
			LogFactory.setLogCreator(new FlywayLogs(Thread.currentThread()));
			flyway.migrate();
		}
		finally {
			LogFactory.setLogCreator(null);
		}
	}

	/**
	 * Baselined below the first version, since the application's tables may be in the
	 * same schema already.
	 */
	private Flyway flyway(DataSource connection) {
		return Flyway.configure(FlywayMigration.class.getClassLoader())
			.dataSource(connection)
			.locations(SchemaMigration.LOCATION)
			.table("jobqueue_schema_history")
			.defaultSchema(this.schema)
			.createSchemas(this.createSchema)
			.baselineOnMigrate(true)
			.baselineVersion("0")
			.load();
	}

	/**
	 * Logs what Flyway says on one thread at DEBUG instead of INFO. Flyway's loggers are
	 * the same for all of a JVM: what the application's own Flyway says on other threads
	 * keeps its level.
	 */
	private static final class FlywayLogs implements LogCreator {

		private final Thread quiet;

		FlywayLogs(Thread quiet) {
			this.quiet = quiet;
		}

		@Override
		public Log createLogger(Class<?> type) {
			return new FlywayLog(LoggerFactory.getLogger(type), this.quiet);
		}

		private record FlywayLog(Logger logger, Thread quiet) implements Log {

			private Level info() {
				return (Thread.currentThread() == this.quiet) ? Level.DEBUG : Level.INFO;
			}

			@Override
			public void info(String message) {
				this.logger.atLevel(info()).log(message);
			}

			@Override
			public void notice(String message) {
				info(message);
			}

			@Override
			public void debug(String message) {
				this.logger.debug(message);
			}

			@Override
			public void warn(String message) {
				this.logger.warn(message);
			}

			@Override
			public void error(String message) {
				this.logger.error(message);
			}

			@Override
			public void error(String message, Exception ex) {
				this.logger.error(message, ex);
			}

		}

	}

}
