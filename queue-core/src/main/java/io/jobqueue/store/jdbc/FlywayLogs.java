package io.jobqueue.store.jdbc;

import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogCreator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs what Flyway says on one thread at DEBUG instead of INFO. Flyway's loggers are the
 * same for all of a JVM: what the application's own Flyway says on other threads keeps
 * its level.
 */
final class FlywayLogs implements LogCreator {

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
