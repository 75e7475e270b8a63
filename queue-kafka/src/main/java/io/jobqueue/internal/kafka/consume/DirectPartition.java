package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.direct.DirectJob;
import io.jobqueue.internal.direct.DirectJob.Ending;
import io.jobqueue.internal.store.SourceStore.Assignment;

/**
 * A partition from its assignment until it is handed over. Its records begin once the
 * keys of live jobs are read, and the broker knows the position up to which records may
 * have begun.
 */
final class DirectPartition {

	private final TopicPartition partition;

	private final String source;

	private final DirectRuns runs;

	private final LiveKeys keys = new LiveKeys();

	private final PartitionRecords records = new PartitionRecords();

	private volatile @Nullable Assignment assignment;

	private volatile boolean lost;

	private boolean leaving;

	private long suspects = -1;

	private long position;

	private @Nullable OffsetAndMetadata committed;

	private long committedUpTo;

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
	 * Note what a former owner has acknowledged, and up to which position it may have
	 * begun other records.
	 */
	synchronized void suspect(@Nullable OffsetAndMetadata left) {
		this.position = (left != null) ? left.offset() : -1;
		this.suspects = PolledUpTo.read(left);
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
	 * Return whether another node owns the partition, so that nothing is stored here, or
	 * its topic was created again.
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
	void add(List<ConsumerRecord<byte[], byte[]>> messages, long position) {
		if (continues(messages.get(0).offset(), position)) {
			List<DirectRecord> polled = messages.stream().map((each) -> this.runs.read(each, this.source)).toList();
			synchronized (this) {
				this.records.add(polled, position);
			}
		}
	}

	/**
	 * Return whether records can be added. If they go back, the topic was created again,
	 * so that what is known of offsets concerns other records.
	 */
	private synchronized boolean continues(long from, long to) {
		if (from < this.position) {
			this.suspects = 0;
			this.lost |= this.records.end() >= 0;
		}
		this.position = to;
		return !this.lost;
	}

	/**
	 * Note a position between which and the last record there are no others.
	 */
	synchronized void skipTo(long to) {
		if (to > this.position) {
			this.position = to;
			this.records.skipTo(to);
		}
	}

	/**
	 * Return the offset to commit, with the position up to which records may have begun
	 * by then; {@code null} if it is committed already.
	 */
	synchronized @Nullable OffsetAndMetadata toCommit() {
		if (this.records.end() < 0) {
			return null;
		}
		OffsetAndMetadata next = PolledUpTo.write(this.records.acknowledged(),
				Math.max(this.records.end(), this.suspects));
		return next.equals(this.committed) ? null : next;
	}

	/**
	 * Return whether records wait for a commit before they begin.
	 */
	synchronized boolean isCommitUrgent() {
		return this.records.mayBeginFrom(this.committedUpTo);
	}

	synchronized void committed(OffsetAndMetadata offset) {
		this.committed = offset;
		this.committedUpTo = PolledUpTo.read(offset);
	}

	/**
	 * Begin the records that can.
	 */
	void begin() {
		nextToBegin().forEach(this::start);
	}

	private synchronized List<DirectRecord> nextToBegin() {
		return this.leaving ? List.of() : this.records.beginBefore(this.committedUpTo);
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
		if (ending == Ending.WITHDRAWN && withdraw(last)) {
			return;
		}
		DirectRecord next = end(last, ending);
		this.runs.closed(last, ending);
		last.forgetJob();
		if (next != null) {
			start(next);
		}
	}

	private synchronized boolean withdraw(DirectRecord last) {
		if (!this.lost) {
			this.records.withdraw(last);
		}
		return !this.lost;
	}

	private synchronized @Nullable DirectRecord end(DirectRecord last, Ending ending) {
		String key = last.key();
		if (key != null && (ending == Ending.STORED || ending == Ending.DUPLICATE)) {
			this.keys.wrote(key);
		}
		this.lost |= ending == Ending.LOST;
		DirectRecord next = this.lost ? null : this.records.end(last);
		notifyAll();
		return (next != null && mayBegin(next)) ? begin(next) : null;
	}

	private boolean mayBegin(DirectRecord next) {
		return this.leaving || (next.offset() < this.committedUpTo && !this.runs.isPaused());
	}

	private DirectRecord begin(DirectRecord next) {
		this.records.begin(next);
		return next;
	}

	/**
	 * Run no further records.
	 */
	synchronized void leave() {
		this.leaving = true;
	}

	/**
	 * Drop the records behind the last one that has begun. Those before it that have not
	 * begun are stored: otherwise the next owner would repeat what is behind them.
	 */
	void dropRest() {
		List<DirectRecord> before;
		synchronized (this) {
			this.runs.dropped(this.records.removeRest());
			before = this.records.beginBefore(Long.MAX_VALUE);
		}
		before.forEach(this::start);
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
		this.runs.dropped(this.records.clear());
		notifyAll();
	}

}
