package io.jobqueue.internal.store;

import org.jspecify.annotations.Nullable;

/**
 * A queue, or one type of it, that can be paused.
 *
 * @param queue the queue
 * @param type the name of the type, {@code null} for the whole queue
 */
public record PauseTarget(String queue, @Nullable String type) {

	/**
	 * Return the queue and the type, for log messages.
	 */
	@Override
	public String toString() {
		return (this.type != null) ? "type %s of %s".formatted(this.type, this.queue) : this.queue;
	}

}
