package io.jobqueue.model;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * An application that handles jobs.
 *
 * @param name its name
 * @param types the types that it knows
 * @param onceTypes those that it delivers at most once
 * @param maxAttempts after how many attempts it gives up
 * @param keepDead for how many minutes it keeps dead jobs, {@code null} for ever
 */
record Node(char name, Set<String> types, Set<String> onceTypes, int maxAttempts, @Nullable Integer keepDead) {

	static final List<Node> ALL = List.of(new Node('A', Set.of("mail", "alarm"), Set.of("alarm"), 3, null),
			new Node('B', Set.of("mail"), Set.of(), 2, 60), new Node('C', Set.of("mail", "alarm"), Set.of(), 0, 0));

	/**
	 * The first is the busiest: it takes a node that claims again and again to mix up its
	 * claims.
	 */
	static Node any(Choices choices) {
		return ALL.get(choices.of(0, 1, 2, 0));
	}

	@Override
	public String toString() {
		return String.valueOf(this.name);
	}

}
