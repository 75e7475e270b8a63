package io.jobqueue.internal.store.postgresql.schema;

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
 * Applies the migrations with a Flyway instance of the queue. This class is loaded only
 * if a migration is missing, so that Flyway is optional otherwise.
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
	 * Apply the missing migrations. Flyway requests two connections: one holds its lock
	 * in a transaction while the other one migrates. Both are the same connection here,
	 * because the pool may have only one; each migration ends that transaction with its
	 * own commit.
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
	 * The baseline is below the first version, because the schema may already contain
	 * tables of the application.
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
	 * Logs INFO messages of Flyway at DEBUG on one thread. The log creator is shared by
	 * the whole JVM: messages of the application's own Flyway on other threads keep their
	 * level.
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
