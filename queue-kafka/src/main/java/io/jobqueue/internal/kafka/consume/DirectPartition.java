package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.direct.DirectJob;
import io.jobqueue.internal.direct.DirectJob.Ending;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.SourceStore.Assignment;

/**
 * The records of a partition from its assignment until it is handed over. Those of a key
 * run one after the other. A record begins after the broker knows the position up to
 * which records may have begun, and is acknowledged with all before it.
 */
final class DirectPartition {

	private final TopicPartition partition;

	private final String source;

	private final DirectRuns runs;

	private final LiveKeys keys = new LiveKeys();

	/**
	 * The records that are not acknowledged, in the order of the partition.
	 */
	private final Deque<DirectRecord> records = new ArrayDeque<>();

	/**
	 * Those among them that have not begun and wait for no other one of their key, by
	 * offset.
	 */
	private final NavigableMap<Long, DirectRecord> waiting = new TreeMap<>();

	private final Map<String, Deque<DirectRecord>> keyed = new HashMap<>();

	private volatile @Nullable Assignment assignment;

	private volatile boolean lost;

	private boolean leaving;

	private long suspects = -1;

	private long polled = -1;

	private long limit;

	private @Nullable OffsetAndMetadata committed;

	DirectPartition(TopicPartition partition, String source, DirectRuns runs) {
		this.partition = partition;
		this.source = source;
		this.runs = runs;
	}

	TopicPartition partition() {
		return this.partition;
	}

	String source() {
		return this.source;
	}

	LiveKeys keys() {
		return this.keys;
	}

	/**
	 * Note up to which position a former owner may have begun records that are not
	 * acknowledged.
	 */
	synchronized void suspect(long end) {
		this.suspects = end;
	}

	synchronized boolean knowsSuspects() {
		return this.suspects >= 0;
	}

	/**
	 * Let records begin, as the keys of live jobs have been read.
	 */
	void assigned(Assignment own) {
		this.assignment = own;
	}

	boolean isAssigned() {
		return this.assignment != null;
	}

	boolean isReady() {
		return isAssigned() && knowsSuspects();
	}

	/**
	 * Return whether another node owns the partition, so that nothing is stored here.
	 */
	boolean isLost() {
		return this.lost;
	}

	/**
	 * Return how many records are not acknowledged.
	 */
	synchronized int size() {
		return this.records.size();
	}

	/**
	 * Add the records of a poll.
	 * @param position the position after them
	 */
	synchronized void add(List<ConsumerRecord<byte[], byte[]>> messages, long position) {
		for (ConsumerRecord<byte[], byte[]> message : messages) {
			add(this.runs.read(message, this.source));
		}
		this.polled = position;
	}

	private void add(DirectRecord next) {
		if (next.job() == null) {
			next.done();
		}
		else {
			this.runs.opened();
			queue(next);
		}
		this.records.add(next);
		acknowledge();
	}

	private void queue(DirectRecord next) {
		String key = next.key();
		Deque<DirectRecord> same = (key != null) ? this.keyed.computeIfAbsent(key, (first) -> new ArrayDeque<>(1))
				: null;
		if (same != null) {
			same.add(next);
		}
		if (same == null || same.size() == 1) {
			this.waiting.put(next.offset(), next);
		}
	}

	private void acknowledge() {
		while (!this.records.isEmpty() && this.records.getFirst().isDone()) {
			this.records.removeFirst();
		}
	}

	/**
	 * Return the offset to commit, with the position up to which records may have begun
	 * by then; {@code null} if it is committed already.
	 */
	synchronized @Nullable OffsetAndMetadata toCommit() {
		if (this.polled < 0) {
			return null;
		}
		OffsetAndMetadata next = offset(this.leaving ? this.limit : Math.max(this.polled, this.suspects));
		return next.equals(this.committed) ? null : next;
	}

	private OffsetAndMetadata offset(long begun) {
		long acknowledged = this.records.isEmpty() ? end() : this.records.getFirst().offset();
		return PolledUpTo.write(acknowledged, this.records.isEmpty() && this.leaving ? acknowledged : begun);
	}

	private long end() {
		return this.leaving ? this.limit : this.polled;
	}

	/**
	 * Return whether records wait for a commit before they begin.
	 */
	synchronized boolean isCommitUrgent() {
		return !this.waiting.isEmpty() && this.waiting.lastKey() >= committedUpTo();
	}

	private long committedUpTo() {
		return PolledUpTo.read(this.committed);
	}

	synchronized void committed(OffsetAndMetadata offset) {
		this.committed = offset;
	}

	/**
	 * Begin the records that can.
	 */
	void begin() {
		nextToBegin().forEach(this::start);
	}

	private synchronized List<DirectRecord> nextToBegin() {
		Map<Long, DirectRecord> first = this.waiting.headMap(this.leaving ? -1 : committedUpTo());
		List<DirectRecord> next = first.values().stream().map(DirectRecord::begin).toList();
		first.clear();
		return next;
	}

	private void start(DirectRecord next) {
		String key = next.key();
		DirectJob job = new DirectJob(Objects.requireNonNull(next.job()), Objects.requireNonNull(this.assignment),
				(own, ending) -> ended(next, ending));
		if (isLeaving()) {
			this.runs.store(job);
		}
		else if (next.offset() < suspects()) {
			next.redelivered();
			this.runs.storeLost(job);
		}
		else if (key != null && this.keys.contains(key)) {
			this.runs.store(job);
		}
		else {
			this.runs.runOrStore(job);
		}
	}

	private synchronized boolean isLeaving() {
		return this.leaving;
	}

	private synchronized long suspects() {
		return this.suspects;
	}

	/**
	 * Called when a record has ended, which begins the next one of its key.
	 */
	private void ended(DirectRecord last, Ending ending) {
		DirectRecord next = null;
		synchronized (this) {
			if (ending == Ending.WITHDRAWN && !this.lost) {
				this.waiting.put(last.offset(), last.withdraw());
				return;
			}
			this.lost |= ending == Ending.LOST;
			String key = last.key();
			if (key != null && (ending == Ending.STORED || ending == Ending.DUPLICATE)) {
				this.keys.wrote(key);
			}
			if (!this.lost) {
				last.done();
				next = following(last);
				acknowledge();
			}
			notifyAll();
		}
		this.runs.closed(last, ending);
		if (next != null) {
			start(next);
		}
	}

	/**
	 * Records behind the limit of an owner that leaves do not begin.
	 */
	private @Nullable DirectRecord following(DirectRecord last) {
		Deque<DirectRecord> same = (last.key() != null) ? this.keyed.get(last.key()) : null;
		if (same == null) {
			return null;
		}
		same.removeFirst();
		DirectRecord next = same.peekFirst();
		if (next == null) {
			this.keyed.remove(last.key());
		}
		else if (!begins(next)) {
			this.waiting.put(next.offset(), next);
			next = null;
		}
		return (next != null) ? next.begin() : null;
	}

	private boolean begins(DirectRecord next) {
		return this.leaving ? next.offset() < this.limit : next.offset() < committedUpTo() && !this.runs.isPaused();
	}

	/**
	 * Begin no further records.
	 */
	synchronized void leave() {
		this.leaving = true;
		this.limit = Math.max(this.polled, 0);
	}

	/**
	 * Drop the records behind the last one that has begun. Those before it that have not
	 * begun are stored: otherwise the next owner would repeat what is behind them.
	 */
	void dropRest() {
		List<DirectRecord> before = new ArrayList<>();
		synchronized (this) {
			this.limit = limit();
			while (!this.records.isEmpty() && this.records.getLast().offset() >= this.limit) {
				this.records.removeLast().drop(this.runs);
			}
			this.waiting.headMap(this.limit).values().forEach((each) -> before.add(each.begin()));
			this.waiting.clear();
		}
		before.forEach(this::start);
	}

	private long limit() {
		long end = this.records.isEmpty() ? this.polled : this.records.getFirst().offset();
		for (DirectRecord each : this.records) {
			end = each.hasBegun() ? each.offset() + 1 : end;
		}
		return end;
	}

	/**
	 * Wait until all records have ended.
	 * @return {@code false} if some have not ended in time
	 */
	synchronized boolean awaitNone(Duration atMost) throws InterruptedException {
		long deadline = System.nanoTime() + atMost.toNanos();
		for (long left = atMost.toMillis(); !this.records.isEmpty() && !this.lost && left > 0;) {
			wait(left);
			left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
		}
		return this.records.isEmpty() || this.lost;
	}

	/**
	 * Ignore what ends from now on.
	 */
	synchronized void lose() {
		this.lost = true;
		this.leaving = true;
		this.records.forEach((each) -> each.drop(this.runs));
		this.records.clear();
		this.waiting.clear();
		notifyAll();
	}

	boolean owns(DirectJob job) {
		return job.source().equals(this.source);
	}

}
