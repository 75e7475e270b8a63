package io.jobqueue.internal.boot.alert;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.awaitility.Awaitility.await;

/**
 * When an {@link AlertLoop} measures.
 */
class AlertLoopTests extends AlertTestBase {

	private final AtomicInteger measurements = new AtomicInteger();

	@Test
	void measuresAgainAfterAnError() {
		AlertLoop loop = new AlertLoop(new Alerts(measurementThatFailsOnce(), (queue) -> true, Clock.systemUTC(),
				Duration.ofMillis(1), 2, this.events::addAll), "here");
		loop.start();
		await().until(() -> this.measurements.get() > 2);
		loop.stop();
	}

	private AlertMeasurement measurementThatFailsOnce() {
		return measurement(() -> {
			if (this.measurements.incrementAndGet() == 1) {
				throw new AssertionError("The first measurement fails");
			}
			return Stream.empty();
		}, OF_CLASSES);
	}

}
