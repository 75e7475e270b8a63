package io.jobqueue.boot.alert;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.awaitility.Awaitility.await;

/**
 * When an {@link AlertLoop} looks.
 */
class AlertLoopTests extends AlertTestBase {

	private final AtomicInteger looks = new AtomicInteger();

	@Test
	void looksOnWhateverWentWrong() {
		AlertLoop loop = new AlertLoop(
				new Alerts(lookThatFailsOnce(), Clock.systemUTC(), Duration.ofMillis(1), 2, this.told::addAll), "here");
		loop.start();
		await().until(() -> this.looks.get() > 2);
		loop.stop();
	}

	private AlertMeasurement lookThatFailsOnce() {
		return look(() -> {
			if (this.looks.incrementAndGet() == 1) {
				throw new AssertionError("The first look fails");
			}
			return Stream.empty();
		}, OF_CLASSES);
	}

}
