package io.jobqueue.internal.kafka.consume;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * The records of a partition that are not acknowledged: those that have not ended, and
 * those behind them. A record waits while an earlier one of its key has not ended.
 * Guarded by its partition.
 */
final class PartitionRecords {

	/**
	 * In the order of the partition. The first one has not ended.
	 */
	private final Deque<DirectRecord> records = new ArrayDeque<>();

	/**
	 * Those that may begin, by offset.
	 */
	private final NavigableMap<Long, DirectRecord> first = new TreeMap<>();

	/**
	 * Those of each key that have not ended.
	 */
	private final Map<String, Deque<DirectRecord>> keyed = new HashMap<>();

	private long end = -1;

	/**
	 * Add records.
	 * @param position the position after them
	 */
	void add(Collection<DirectRecord> polled, long position) {
		polled.forEach(this::add);
		this.end = position;
	}

	/**
	 * Move the end to a position up to which there are no further records.
	 */
	void skipTo(long position) {
		this.end = position;
	}

	private void add(DirectRecord next) {
		this.records.add(next);
		if (!next.isDone()) {
			queue(next);
		}
		acknowledge();
	}

	private void queue(DirectRecord next) {
		String key = next.key();
		if (key == null || queue(key, next)) {
			this.first.put(next.offset(), next);
		}
	}

	private boolean queue(String key, DirectRecord next) {
		Deque<DirectRecord> same = this.keyed.computeIfAbsent(key, (first) -> new ArrayDeque<>(1));
		same.add(next);
		return same.size() == 1;
	}

	private void acknowledge() {
		while (!this.records.isEmpty() && this.records.getFirst().isDone()) {
			this.records.removeFirst();
		}
	}

	int size() {
		return this.records.size();
	}

	boolean isEmpty() {
		return this.records.isEmpty();
	}

	/**
	 * Return the position up to which all records are acknowledged.
	 */
	long acknowledged() {
		return this.records.isEmpty() ? this.end : this.records.getFirst().offset();
	}

	/**
	 * Return the position after the last record, -1 before the first poll.
	 */
	long end() {
		return this.end;
	}

	/**
	 * Return whether a record may begin that is not before a position.
	 */
	boolean mayBeginFrom(long position) {
		return !this.first.isEmpty() && this.first.lastKey() >= position;
	}

	/**
	 * Begin the records before a position that may begin.
	 */
	List<DirectRecord> beginBefore(long position) {
		Map<Long, DirectRecord> before = this.first.headMap(position);
		List<DirectRecord> begun = new ArrayList<>(before.values());
		begun.forEach(DirectRecord::begin);
		before.clear();
		return begun;
	}

	void begin(DirectRecord next) {
		this.first.remove(next.offset());
		next.begin();
	}

	/**
	 * Take back that a record has begun.
	 */
	void withdraw(DirectRecord begun) {
		begun.withdraw();
		this.first.put(begun.offset(), begun);
	}

	/**
	 * Note that a record has ended.
	 * @return the next one of its key, which may begin now; {@code null} if there is none
	 */
	@Nullable DirectRecord end(DirectRecord last) {
		last.done();
		acknowledge();
		String key = last.key();
		DirectRecord next = (key != null) ? nextOf(key) : null;
		if (next != null) {
			this.first.put(next.offset(), next);
		}
		return next;
	}

	private @Nullable DirectRecord nextOf(String key) {
		Deque<DirectRecord> same = this.keyed.getOrDefault(key, new ArrayDeque<>());
		same.pollFirst();
		if (same.isEmpty()) {
			this.keyed.remove(key);
		}
		return same.peekFirst();
	}

	/**
	 * Remove the records behind the last one that has begun.
	 * @return the number of those that have not ended
	 */
	int removeRest() {
		int removed = 0;
		while (!this.records.isEmpty() && this.records.getLast().mayBeLeft()) {
			removed += this.records.getLast().isDone() ? 0 : 1;
			remove(this.records.removeLast());
		}
		return removed;
	}

	private void remove(DirectRecord last) {
		this.end = last.offset();
		this.first.remove(last.offset());
		String key = last.key();
		if (key != null) {
			this.keyed.computeIfPresent(key, (same, records) -> {
				records.removeLast();
				return records.isEmpty() ? null : records;
			});
		}
	}

	/**
	 * Remove all records.
	 * @return the number of those that have not begun
	 */
	int clear() {
		int waiting = (int) this.records.stream().filter((each) -> !each.hasBegun()).count();
		this.records.clear();
		this.first.clear();
		this.keyed.clear();
		return waiting;
	}

}
