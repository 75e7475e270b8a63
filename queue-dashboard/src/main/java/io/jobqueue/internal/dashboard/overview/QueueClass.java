package io.jobqueue.internal.dashboard.overview;

import java.util.Comparator;

import org.jspecify.annotations.Nullable;

import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.internal.store.Tier;

/**
 * What a row of the overview is about.
 *
 * @param queue the queue
 * @param priority the priority class, {@code null} for a queue that is known without jobs
 */
public record QueueClass(String queue, @Nullable PriorityClass priority) implements Comparable<QueueClass> {

	private static final Comparator<QueueClass> ORDER = Comparator.comparing(QueueClass::queue)
		.thenComparing(QueueClass::priority, Comparator.nullsFirst(Comparator.naturalOrder()));

	static QueueClass of(Tier tier) {
		return new QueueClass(tier.queue(), Priority.of(tier.priority()).priorityClass());
	}

	/**
	 * Return the name of the priority class as settings write it.
	 * @return such as {@code user-visible}, without text if there is no class
	 */
	public String priorityName() {
		return (this.priority != null) ? this.priority.tagValue().replace('_', '-') : "";
	}

	/**
	 * Return the queue and the priority class, for sentences.
	 */
	@Override
	public String toString() {
		return (this.priority != null) ? this.queue + "/" + priorityName() : this.queue;
	}

	@Override
	public int compareTo(QueueClass other) {
		return ORDER.compare(this, other);
	}

}
