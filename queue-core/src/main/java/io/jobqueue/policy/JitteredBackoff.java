package io.jobqueue.policy;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Varies the delays of another backoff at random.
 */
record JitteredBackoff(Backoff backoff, double jitter) implements Backoff {

	@Override
	public Duration delayAfter(int attempt) {
		double share = 1 + ThreadLocalRandom.current().nextDouble(-this.jitter, this.jitter);
		return Duration.ofMillis((long) (this.backoff.delayAfter(attempt).toMillis() * share));
	}

}
