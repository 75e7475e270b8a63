package io.jobqueue.model;

import java.util.UUID;

/**
 * Ids that people can read.
 */
final class Ids {

	private Ids() {
	}

	static UUID job(int number) {
		return new UUID(0, number);
	}

	/**
	 * Return the id of a worker: a node has a new one after each start.
	 */
	static UUID worker(Node node, int start) {
		return new UUID(node.name(), start);
	}

	static String worker(UUID id) {
		return "%c%d".formatted((char) id.getMostSignificantBits(), id.getLeastSignificantBits());
	}

}
