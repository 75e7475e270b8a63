package io.jobqueue.internal.kafka.consume;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The keys of a partition whose records wait behind live jobs. The database is read now
 * and then; keys of jobs that were written since a read began are kept until the next
 * one.
 */
final class LiveKeys {

	private final Map<String, Long> writes = new HashMap<>();

	private long last;

	synchronized boolean contains(String key) {
		return this.writes.containsKey(key);
	}

	synchronized boolean isEmpty() {
		return this.writes.isEmpty();
	}

	/**
	 * Note that a job with the key was written.
	 */
	synchronized void wrote(String key) {
		this.writes.put(key, ++this.last);
	}

	/**
	 * Return the number of the last write, before the database is read.
	 */
	synchronized long mark() {
		return this.last;
	}

	/**
	 * Replace the keys by those that were read, apart from later writes.
	 * @param mark the number of the last write before the read
	 */
	synchronized void read(Set<String> live, long mark) {
		this.writes.entrySet().removeIf((entry) -> entry.getValue() <= mark && !live.contains(entry.getKey()));
		live.forEach((key) -> this.writes.putIfAbsent(key, mark));
	}

}
