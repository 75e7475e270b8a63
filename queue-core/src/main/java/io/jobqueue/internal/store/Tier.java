package io.jobqueue.internal.store;

/**
 * The jobs of one queue that have the same priority.
 *
 * @param queue the queue
 * @param priority the value of the priority
 */
public record Tier(String queue, int priority) implements Comparable<Tier> {

	@Override
	public int compareTo(Tier other) {
		int byQueue = this.queue.compareTo(other.queue);
		return (byQueue != 0) ? byQueue : Integer.compare(this.priority, other.priority);
	}

}
