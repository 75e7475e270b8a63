package io.jobqueue.boot.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How long the archive keeps finished jobs: {@code jobqueue.defaults.retention}.
 */
class RetentionProperties {

	/**
	 * Time for which succeeded jobs are kept; 0 for not at all.
	 */
	private @Nullable Duration succeeded = Duration.ofHours(24);

	/**
	 * Time for which cancelled jobs are kept; 0 for not at all.
	 */
	private @Nullable Duration cancelled = Duration.ofHours(24);

	/**
	 * Time for which dead jobs are kept; 0 for not at all. Default: until an operator
	 * decides.
	 */
	private @Nullable Duration dead;

	public @Nullable Duration getSucceeded() {
		return this.succeeded;
	}

	public void setSucceeded(@Nullable Duration succeeded) {
		this.succeeded = succeeded;
	}

	public @Nullable Duration getCancelled() {
		return this.cancelled;
	}

	public void setCancelled(@Nullable Duration cancelled) {
		this.cancelled = cancelled;
	}

	public @Nullable Duration getDead() {
		return this.dead;
	}

	public void setDead(@Nullable Duration dead) {
		this.dead = dead;
	}

}
