package io.jobqueue.internal.boot.metrics;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queues and types that have meters of their own: all that have ever been declared.
 * Others share {@link DeclaredNames#OTHER}, so that the number of meters stays bounded.
 */
public final class TagValues {

	/**
	 * Maximum number of queues that only other nodes serve.
	 */
	static final int MAX_FOREIGN = 200;

	private static final Logger logger = LoggerFactory.getLogger(TagValues.class);

	private final DeclaredNames names;

	private final Map<String, Set<String>> typesByQueue = new ConcurrentHashMap<>();

	private final Set<String> ownQueues = ConcurrentHashMap.newKeySet();

	private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

	private volatile boolean full;

	/**
	 * Create tag values.
	 * @param names the names that this node declares
	 */
	public TagValues(DeclaredNames names) {
		this.names = names;
	}

	/**
	 * Add the names that this node declares now.
	 */
	public void refresh() {
		boolean more = addOwn(this.names.queues());
		for (Map.Entry<String, Set<String>> types : this.names.typesByQueue().entrySet()) {
			more |= types(types.getKey()).addAll(types.getValue());
		}
		notifyIf(more);
	}

	/**
	 * Add queues that other nodes serve, up to {@value #MAX_FOREIGN}.
	 */
	void addForeign(Collection<String> queues) {
		List<String> unknown = queues.stream()
			.filter((queue) -> !this.typesByQueue.containsKey(queue))
			.sorted()
			.toList();
		if (!unknown.isEmpty()) {
			int foreign = this.typesByQueue.size() - this.ownQueues.size();
			int capacity = Math.min(Math.max(0, MAX_FOREIGN - foreign), unknown.size());
			notifyIf(add(unknown.subList(0, capacity)));
			unknown.stream().skip(capacity).findFirst().ifPresent(this::warn);
		}
	}

	private void warn(String leftOut) {
		if (!this.full) {
			logger.warn(
					"Other nodes serve more queues than the {} that can have meters of their own on this node; the rest, such as {}, are summed up as {}. Give unrelated applications tables of their own (jobqueue.jdbc.schema)",
					MAX_FOREIGN, leftOut, DeclaredNames.OTHER);
		}
		this.full = true;
	}

	private boolean addOwn(Collection<String> queues) {
		add(queues);
		return this.ownQueues.addAll(queues);
	}

	private boolean add(Collection<String> queues) {
		int before = this.typesByQueue.size();
		queues.forEach(this::types);
		return this.typesByQueue.size() > before;
	}

	private Set<String> types(String queue) {
		return this.typesByQueue.computeIfAbsent(queue, (name) -> ConcurrentHashMap.newKeySet());
	}

	private void notifyIf(boolean more) {
		if (more) {
			this.listeners.forEach(Runnable::run);
		}
	}

	/**
	 * Call a listener after names were added.
	 */
	void onAdded(Runnable listener) {
		this.listeners.add(listener);
	}

	Set<String> queues() {
		return this.typesByQueue.keySet();
	}

	/**
	 * Return the queues that this node has declared.
	 */
	Set<String> ownQueues() {
		return this.ownQueues;
	}

	Map<String, Set<String>> typesByQueue() {
		return this.typesByQueue;
	}

	/**
	 * Return the tag value of a queue. It adds no names, since the caller may be in a
	 * transaction: a name that is new with a payload gets its other meters at the next
	 * refresh.
	 */
	String queue(String name) {
		return (this.typesByQueue.containsKey(name) || this.names.queuesOfPayloads().contains(name)) ? name
				: DeclaredNames.OTHER;
	}

	String type(String queue, String name) {
		Set<String> types = this.typesByQueue.get(queue);
		return (types != null && types.contains(name)) ? name : DeclaredNames.OTHER;
	}

}
