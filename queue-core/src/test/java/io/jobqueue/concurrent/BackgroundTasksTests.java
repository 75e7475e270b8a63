package io.jobqueue.concurrent;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

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
	void anyOtherFailureHasItsTraceEachTime() {
		try (CapturedLog log = new CapturedLog()) {
			this.tasks.repeat("The heartbeat of worker node", () -> {
				this.turns.incrementAndGet();
				throw new IllegalStateException("A fault of the worker");
			}, Duration.ofMillis(1));
			await().atMost(Duration.ofSeconds(30)).until(() -> this.turns.get() > 2);
			assertThat(log.levels("failed; will retry").subList(0, 2)).containsOnly("ERROR");
			assertThat(log.text("failed; will retry")).contains("The heartbeat of worker node failed",
					"IllegalStateException: A fault of the worker", "\tat ");
		}
	}

}
