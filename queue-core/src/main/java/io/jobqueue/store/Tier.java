package io.jobqueue.store;

import org.jspecify.annotations.Nullable;

/**
 * The jobs of one queue that have the same priority.
 *
 * @param queue the queue
 * @param priority the value of the priority
 */
public record Tier(String queue, int priority) implements Comparable<Tier> {

	/**
	 * Tiers are keys of maps on the way of each job. This method and {@link #equals} are
	 * not generated, because the JVM links generated ones at their first call.
	 */
	@Override
	public int hashCode() {
		return 31 * this.queue.hashCode() + this.priority;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Tier tier && this.priority == tier.priority && this.queue.equals(tier.queue);
	}

	@Override
	public int compareTo(Tier other) {
		int byQueue = this.queue.compareTo(other.queue);
		return (byQueue != 0) ? byQueue : Integer.compare(this.priority, other.priority);
	}

}
