package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.concurrent.Deadline;
import io.jobqueue.internal.direct.DirectJob;
import io.jobqueue.internal.direct.DirectWorker;

/**
 * Polls a consumer, which stays in its group however long handlers take, acknowledges
 * what has ended, and hands partitions over.
 */
final class PollLoop implements ConsumerRebalanceListener {

	/**
	 * The time of a stop beyond that of handlers: for those that are interrupted, and for
	 * the database.
	 */
	static final Duration AFTER_TIMEOUT = Duration.ofSeconds(9);

	private static final Logger logger = LoggerFactory.getLogger(PollLoop.class);

	private static final Duration POLL = Duration.ofMillis(100);

	private static final Duration COMMITS = Duration.ofMillis(100);

	private static final Duration BROKER = Duration.ofSeconds(2);

	private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(2);

	private static final Duration LAST_WRITES = Duration.ofSeconds(5);

	private static final Duration ROOM_CHECKS = Duration.ofMillis(20);

	private final ConsumedTopic topic;

	private final Consumer<byte[], byte[]> consumer;

	private final AssignedPartitions partitions;

	private final DirectRuns runs;

	private final DirectWorker worker;

	private final ConsumerHealth health;

	private final Deadline nextCommit = new Deadline();

	private final int limit;

	private final Duration timeout;

	private boolean paused;

	PollLoop(ConsumedTopic topic, ConsumerSettings settings, Consumer<byte[], byte[]> consumer,
			AssignedPartitions partitions, DirectRuns runs, DirectWorker worker, ConsumerHealth health) {
		this.topic = topic;
		this.consumer = consumer;
		this.partitions = partitions;
		this.runs = runs;
		this.worker = worker;
		this.health = health;
		this.limit = 2 * settings.maxPollRecords();
		Duration half = settings.maxPollInterval().dividedBy(2);
		this.timeout = (worker.shutdownTimeout().compareTo(half) < 0) ? worker.shutdownTimeout() : half;
		this.nextCommit.reset(Duration.ZERO);
	}

	/**
	 * Consume until a stop, or until another node writes for a partition of this one: the
	 * consumer joins its group anew then.
	 */
	void runUntil(BooleanSupplier stopped) throws InterruptedException {
		this.consumer.subscribe(List.of(this.topic.topic()), this);
		while (!stopped.getAsBoolean() && this.partitions.all().stream().noneMatch(DirectPartition::isLost)) {
			step();
		}
		handOver(this.partitions.remove(Set.copyOf(this.consumer.assignment())));
	}

	private void step() throws InterruptedException {
		this.partitions.refresh();
		pauseQueue();
		boolean room = !this.paused && this.runs.open() < this.limit;
		limitFetches(room);
		poll(room ? POLL : Duration.ZERO);
		readSuspects();
		skipMarkers();
		if (commit(this.partitions.all())) {
			begin();
		}
		this.worker.startMoreThreads();
		if (!room) {
			this.runs.awaitFewer(this.paused ? 0 : this.limit, ROOM_CHECKS);
		}
	}

	/**
	 * Records that wait for a handler of a paused queue are taken back.
	 */
	private void pauseQueue() {
		boolean before = this.paused;
		this.paused = this.runs.isPaused();
		if (this.paused && !before) {
			this.worker.withdraw(jobsOf(this.partitions.all()));
		}
	}

	private static Predicate<DirectJob> jobsOf(Collection<DirectPartition> some) {
		Set<String> sources = some.stream().map(DirectPartition::source).collect(Collectors.toSet());
		return (job) -> sources.contains(job.source());
	}

	/**
	 * A partition with many records that are not acknowledged waits for the first of
	 * them.
	 */
	private void limitFetches(boolean room) {
		Set<TopicPartition> full = new HashSet<>();
		for (DirectPartition each : this.partitions.all()) {
			if (!room || !each.isReady() || each.size() >= this.limit) {
				full.add(each.partition());
			}
		}
		Set<TopicPartition> before = this.consumer.paused();
		if (!before.equals(full)) {
			this.consumer.resume(before);
			this.consumer.pause(full);
		}
	}

	private void poll(Duration atMost) {
		ConsumerRecords<byte[], byte[]> polled = this.consumer.poll(atMost);
		this.health.polled();
		add(polled);
	}

	private void add(ConsumerRecords<byte[], byte[]> polled) {
		for (TopicPartition each : polled.partitions()) {
			DirectPartition partition = this.partitions.find(each);
			if (partition != null) {
				partition.add(polled.records(each), this.consumer.position(each));
			}
		}
	}

	private void readSuspects() {
		Set<TopicPartition> unknown = this.partitions.all()
			.stream()
			.filter((each) -> !each.knowsSuspects())
			.map(DirectPartition::partition)
			.collect(Collectors.toSet());
		if (!unknown.isEmpty()) {
			Map<TopicPartition, OffsetAndMetadata> committed = this.consumer.committed(unknown);
			this.partitions.all()
				.stream()
				.filter((each) -> unknown.contains(each.partition()))
				.forEach((each) -> each.suspect(committed.get(each.partition())));
		}
	}

	/**
	 * The markers of transactions, and records of those that were aborted, are no records
	 * to poll: they count as acknowledged, so that the group has no lag.
	 */
	private void skipMarkers() {
		this.partitions.all().forEach((each) -> each.skipTo(position(each.partition())));
	}

	/**
	 * Return the position of the consumer, -1 if it is not known yet.
	 */
	private long position(TopicPartition partition) {
		try {
			return this.consumer.position(partition, Duration.ZERO);
		}
		catch (TimeoutException ex) {
			return -1;
		}
	}

	private void begin() {
		if (!this.paused) {
			this.partitions.all().stream().filter(DirectPartition::isReady).forEach(DirectPartition::begin);
		}
	}

	/**
	 * Commit what has ended, and up to where records begin next.
	 * @return {@code false} if the broker did not take the offsets
	 */
	private boolean commit(Collection<DirectPartition> some) {
		if (!this.nextCommit.isDue() && some.stream().noneMatch(DirectPartition::isCommitUrgent)) {
			return true;
		}
		Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
		for (DirectPartition each : some) {
			OffsetAndMetadata offset = each.toCommit();
			if (offset != null) {
				offsets.put(each.partition(), offset);
			}
		}
		this.nextCommit.reset(COMMITS);
		return offsets.isEmpty() || commit(some, offsets);
	}

	/**
	 * During a rebalance, the next poll reports which partitions are left.
	 */
	private boolean commit(Collection<DirectPartition> some, Map<TopicPartition, OffsetAndMetadata> offsets) {
		try {
			this.consumer.commitSync(offsets, BROKER);
			for (DirectPartition each : some) {
				OffsetAndMetadata offset = offsets.get(each.partition());
				if (offset != null) {
					each.committed(offset);
				}
			}
			return true;
		}
		catch (RebalanceInProgressException | CommitFailedException | RetriableException ex) {
			logger.debug("The offsets of topic '{}' are not committed yet", this.topic.topic(), ex);
			return false;
		}
	}

	/**
	 * What was polled counts as begun once it is committed, so that nothing is polled
	 * before it can begin.
	 */
	@Override
	public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
		this.consumer.pause(assigned);
		assigned.forEach(this.partitions::add);
	}

	@Override
	public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
		try {
			handOver(this.partitions.remove(revoked));
		}
		catch (InterruptedException ex) {
			throw new InterruptException(ex);
		}
	}

	/**
	 * The next owner may be running the records again as jobs.
	 */
	@Override
	public void onPartitionsLost(Collection<TopicPartition> lost) {
		List<DirectPartition> former = this.partitions.remove(lost);
		this.worker.withdraw(jobsOf(former));
		this.worker.interrupt(jobsOf(former));
		former.forEach(DirectPartition::lose);
	}

	/**
	 * Let records end, interrupt those that take too long, and acknowledge all of them.
	 * What has not begun is left to the next owner.
	 */
	private void handOver(List<DirectPartition> some) throws InterruptedException {
		some.forEach(DirectPartition::leave);
		Predicate<DirectJob> jobs = jobsOf(some);
		this.worker.withdraw(jobs);
		some.forEach(DirectPartition::dropRest);
		if (!awaitNone(some, this.timeout)) {
			this.worker.interrupt(jobs);
			if (!awaitNone(some, AFTER_INTERRUPT)) {
				this.worker.abandon(jobs);
			}
			boolean unused = awaitNone(some, LAST_WRITES);
		}
		commitLast(some.stream().filter((each) -> !each.isLost()).toList());
		some.forEach(DirectPartition::lose);
	}

	private static boolean awaitNone(List<DirectPartition> some, Duration atMost) throws InterruptedException {
		long deadline = System.nanoTime() + atMost.toNanos();
		boolean none = true;
		for (DirectPartition each : some) {
			none &= each.awaitNone(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
		}
		return none;
	}

	private void commitLast(List<DirectPartition> some) {
		this.nextCommit.reset(Duration.ZERO);
		try {
			boolean unused = commit(some);
		}
		catch (RuntimeException ex) {
			logger.debug("The last offsets of topic '{}' are not committed", this.topic.topic(), ex);
		}
	}

}
