package io.jobqueue.boot.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.jobqueue.Delivery;
import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.boot.EmptyDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application whose pool has a single connection.
 */
class PoolOfOneTests extends QueueTestBase {

	private final ApplicationContextRunner application = this.contextRunner.withPropertyValues(
			"spring.datasource.hikari.maximum-pool-size=1", "spring.datasource.hikari.connection-timeout=20000");

	PoolOfOneTests() {
		super(EmptyDatabase.shared(), EmptyDatabase::clear);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void migratesAndRunsPlainHandlers(boolean autoCommit) {
		this.application.withBean(Greetings.class)
			.withPropertyValues("spring.datasource.hikari.auto-commit=" + autoCommit)
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue(new Greeting("world"));
				await().until(context.getBean(Greetings.class)::received, (received) -> received.contains("world"));
			});
		assertThat(tables()).contains("jobqueue_schema_history");
	}

	@Test
	void refusesTransactionalHandlers() {
		this.application.withBean(Ledger.class).run((context) -> {
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).startsWith("The connection pool has a size of 1, ");
			assertThat(analysis.getAction()).isEqualTo("Set the size of the pool to at least 2 connections.");
		});
	}

	static class Ledger {

		@JobHandler(delivery = Delivery.TRANSACTIONAL)
		void handle(Greeting greeting) {
		}

	}

}
