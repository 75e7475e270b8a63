package io.jobqueue.boot.health;

import java.time.Duration;

import io.jobqueue.store.MonitoringStore.TierSnapshot;

/**
 * The unfinished jobs of a priority class.
 *
 * @param oldest how long the oldest due job has been waiting, zero if none waits
 * @param attempts the highest number of failed attempts
 */
record ClassReading(Duration oldest, int attempts) {

	static final ClassReading NONE = new ClassReading(Duration.ZERO, 0);

	ClassReading and(TierSnapshot tier) {
		Duration age = tier.maxAge();
		return new ClassReading((age != null && age.compareTo(this.oldest) > 0) ? age : this.oldest,
				Math.max(this.attempts, tier.maxFailures()));
	}

}
