package io.jobqueue.store;

import java.util.Comparator;

/**
 * The jobs of one queue that have the same priority.
 *
 * @param queue the queue
 * @param priority the value of the priority
 */
public record Tier(String queue, int priority) implements Comparable<Tier> {

	private static final Comparator<Tier> ORDER = Comparator.comparing(Tier::queue).thenComparingInt(Tier::priority);

	@Override
	public int compareTo(Tier other) {
		return ORDER.compare(this, other);
	}

}
