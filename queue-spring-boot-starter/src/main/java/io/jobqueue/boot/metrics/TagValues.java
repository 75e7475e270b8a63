package io.jobqueue.boot.metrics;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The queues and types that have meters of their own: those that were declared once. All
 * others share {@link DeclaredNames#OTHER}, so that the number of meters stays bounded.
 */
public final class TagValues {

	private final DeclaredNames names;

	private final Map<String, Set<String>> typesByQueue = new ConcurrentHashMap<>();

	private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

	/**
	 * Create tag values.
	 * @param names the names that this node knows of
	 */
	public TagValues(DeclaredNames names) {
		this.names = names;
	}

	/**
	 * Take in what this node declares by now.
	 */
	public void refresh() {
		add(this.names.queues());
		boolean more = false;
		for (Map.Entry<String, Set<String>> types : this.names.typesByQueue().entrySet()) {
			more |= types(types.getKey()).addAll(types.getValue());
		}
		tellIf(more);
	}

	/**
	 * Take in queues that other nodes declare.
	 */
	void add(Collection<String> queues) {
		int before = this.typesByQueue.size();
		queues.forEach(this::types);
		tellIf(this.typesByQueue.size() > before);
	}

	private Set<String> types(String queue) {
		return this.typesByQueue.computeIfAbsent(queue, (name) -> ConcurrentHashMap.newKeySet());
	}

	private void tellIf(boolean more) {
		if (more) {
			this.listeners.forEach(Runnable::run);
		}
	}

	/**
	 * Have somebody told when there are more.
	 */
	void onMore(Runnable listener) {
		this.listeners.add(listener);
	}

	Set<String> queues() {
		return this.typesByQueue.keySet();
	}

	Map<String, Set<String>> typesByQueue() {
		return this.typesByQueue;
	}

	String queue(String name) {
		return this.typesByQueue.containsKey(name) ? name : DeclaredNames.OTHER;
	}

	String type(String queue, String name) {
		Set<String> types = this.typesByQueue.get(queue);
		return (types != null && types.contains(name)) ? name : DeclaredNames.OTHER;
	}

}
