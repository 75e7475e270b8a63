package io.jobqueue.internal.concurrent;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessResourceFailureException;

import io.jobqueue.harness.CapturedLog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What is said of tasks that fail.
 */
class BackgroundTasksTests {

	private final BackgroundTasks tasks = new BackgroundTasks(1, Thread::new);

	private final AtomicInteger turns = new AtomicInteger();

	@AfterEach
	void end() {
		this.tasks.shutdownNow();
	}

	@Test
	void failureOfTheDatabaseIsOneLineUntilItIsOver() {
		try (CapturedLog log = new CapturedLog()) {
			this.tasks.repeat("The heartbeat of worker node", () -> {
				if (this.turns.incrementAndGet() <= 3) {
					throw new DataAccessResourceFailureException("A statement",
							new SQLException("The server only reads", "25006"));
				}
			}, Duration.ofMillis(1));
			await().atMost(Duration.ofSeconds(30)).until(() -> this.turns.get() > 4);
			assertThat(log.text("The heartbeat of worker node").lines().filter((line) -> !line.isEmpty()))
				.satisfiesExactly((line) -> assertThat(line).endsWith("SQLState 25006: The server only reads"),
						(line) -> assertThat(line).endsWith("works again after 3 failures"));
		}
	}

	@Test
	void onlyTheFirstUnexpectedFailureIsAnErrorWithItsTrace() {
		try (CapturedLog log = CapturedLog.ofEverything()) {
			this.tasks.repeat("The heartbeat of worker node", () -> {
				switch (this.turns.incrementAndGet()) {
					case 1 -> throw new DataAccessResourceFailureException("A statement",
							new SQLException("The server only reads", "25006"));
					case 2, 3, 4, 6 -> throw new IllegalStateException("A fault of the worker");
					default -> {
					}
				}
			}, Duration.ofMillis(1));
			await().atMost(Duration.ofSeconds(30)).until(() -> this.turns.get() > 7);
			assertThat(log.levels("The heartbeat of worker node")).containsExactly("WARN", "DEBUG", "ERROR", "DEBUG",
					"DEBUG", "INFO", "ERROR", "INFO");
			assertThat(log.text("The heartbeat of worker node")).contains("The heartbeat of worker node failed",
					"IllegalStateException: A fault of the worker", "\tat ", "works again after 4 failures");
		}
	}

	@Test
	void failureOfTheLogDoesNotEndTheTask() {
		try (FailingLog log = new FailingLog()) {
			this.tasks.repeat("The heartbeat of worker node", () -> {
				this.turns.incrementAndGet();
				throw log.failure;
			}, Duration.ofMillis(1));
			await().atMost(Duration.ofSeconds(30)).until(() -> this.turns.get() > 3);
		}
	}

	/**
	 * Fails to log, with the failure that is to be logged.
	 */
	private static final class FailingLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {

		private final Error failure = new OutOfMemoryError("No memory is left");

		private final Logger logger = (Logger) LoggerFactory.getLogger(BackgroundTasks.class);

		private FailingLog() {
			this.logger.addAppender(this);
		}

		@Override
		public synchronized void doAppend(ILoggingEvent event) {
			throw this.failure;
		}

		@Override
		protected void append(ILoggingEvent event) {
		}

		@Override
		public void close() {
			this.logger.detachAppender(this);
		}

	}

}
