package io.jobqueue.boot.autoconfigure;

import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationContext;

import io.jobqueue.JobOperations;

import static org.awaitility.Awaitility.await;

class PauseGaugeTests extends MeterTestBase {

	@Test
	void gaugeShowsThatAQueueIsPaused() {
		this.metered.withBean(Farewells.class).run((context) -> {
			JobOperations operations = context.getBean(JobOperations.class);
			await().until(() -> paused(context) == 0);
			operations.pause("farewells");
			await().until(() -> paused(context) == 1);
			operations.resume("farewells");
			await().until(() -> paused(context) == 0);
		});
	}

	private static double paused(ApplicationContext context) {
		return taggedGauge(context, "jobqueue.queue.paused", "queue", "farewells");
	}

}
