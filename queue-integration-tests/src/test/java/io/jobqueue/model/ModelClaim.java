package io.jobqueue.model;

import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A claim.
 *
 * @param key its name
 * @param expiresAt the minute at which the reaper is to look after it
 * @param maxAttempts after how many attempts a job without a limit of its own is dead
 * @param keepDead how many minutes it is kept then
 * @param jobs what was claimed
 */
record ModelClaim(ClaimKey key, int expiresAt, int maxAttempts, @Nullable Integer keepDead, Set<UUID> jobs) {

	ModelClaim postponedTo(int minute) {
		return new ModelClaim(this.key, minute, this.maxAttempts, this.keepDead, this.jobs);
	}

	Snapshot.Claimed snapshot() {
		return new Snapshot.Claimed(this.expiresAt, this.jobs);
	}

}
