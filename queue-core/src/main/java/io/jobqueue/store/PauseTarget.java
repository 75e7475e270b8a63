package io.jobqueue.store;

import org.jspecify.annotations.Nullable;

/**
 * What is not to be claimed.
 *
 * @param queue the queue
 * @param type the name of the type, {@code null} for all of the queue
 */
public record PauseTarget(String queue, @Nullable String type) {

	/**
	 * Return what a line of the log says of it.
	 */
	@Override
	public String toString() {
		return (this.type != null) ? "type %s of %s".formatted(this.type, this.queue) : this.queue;
	}

}
