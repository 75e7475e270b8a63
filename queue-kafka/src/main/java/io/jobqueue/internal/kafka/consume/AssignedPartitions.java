package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.concurrent.Deadline;
import io.jobqueue.internal.concurrent.NamedThreads;
import io.jobqueue.internal.direct.DirectWorker;
import io.jobqueue.internal.store.SourceStore.Assignment;

/**
 * The partitions that are assigned to a consumer. A thread of its own notes the
 * assignments in the database and reads the keys of live jobs, so that the consumer does
 * not wait for it.
 */
final class AssignedPartitions implements AutoCloseable {

	private static final Duration READ_INTERVAL = Duration.ofMillis(200);

	/**
	 * The pause after a read of many keys, as a multiple of its time.
	 */
	private static final int MIN_PAUSES = 4;

	/**
	 * The interval without signals of other nodes.
	 */
	private static final Duration DEAF_INTERVAL = Duration.ofSeconds(5);

	private final ConsumedTopic topic;

	private final DirectWorker worker;

	private final DirectRuns runs;

	private final ConsumerHealth health;

	private final Map<TopicPartition, DirectPartition> partitions = new ConcurrentHashMap<>();

	private final ExecutorService database;

	private final AtomicBoolean reading = new AtomicBoolean();

	private final Deadline nextRead = new Deadline();

	private final Deadline nextDeafRead = new Deadline();

	private final Runnable onWakeUp = this::refresh;

	private volatile long wakeUps = -1;

	AssignedPartitions(ConsumedTopic topic, DirectWorker worker, DirectRuns runs, ConsumerHealth health) {
		this.topic = topic;
		this.worker = worker;
		this.runs = runs;
		this.health = health;
		this.database = Executors
			.newSingleThreadExecutor(NamedThreads.daemons("jobqueue-direct-keys-" + topic.topic() + "-"));
		this.nextRead.reset(Duration.ZERO);
		this.nextDeafRead.reset(Duration.ZERO);
		worker.addListener(this.onWakeUp);
	}

	synchronized void add(TopicPartition partition) {
		this.partitions.put(partition,
				new DirectPartition(partition, this.topic.source(partition.partition()), this.runs));
		this.nextRead.reset(Duration.ZERO);
	}

	Collection<DirectPartition> all() {
		return this.partitions.values();
	}

	@Nullable DirectPartition find(TopicPartition partition) {
		return this.partitions.get(partition);
	}

	List<DirectPartition> remove(Collection<TopicPartition> some) {
		List<DirectPartition> removed = new ArrayList<>();
		for (TopicPartition each : some) {
			DirectPartition partition = this.partitions.remove(each);
			if (partition != null) {
				removed.add(partition);
			}
		}
		return removed;
	}

	/**
	 * Read the keys of live jobs if there may be other ones, unless a read is under way.
	 */
	synchronized void refresh() {
		if (!this.database.isShutdown() && this.nextRead.isDue() && isOutdated()
				&& this.reading.compareAndSet(false, true)) {
			this.nextRead.reset(READ_INTERVAL);
			this.nextDeafRead.reset(DEAF_INTERVAL);
			this.database.execute(this::tryToRead);
		}
	}

	private boolean isOutdated() {
		return this.wakeUps != this.worker.wakeUps() || (!this.worker.receivesWakeUps() && this.nextDeafRead.isDue())
				|| all().stream().anyMatch((each) -> !each.isReady() || !each.keys().isEmpty());
	}

	private void tryToRead() {
		long begun = System.nanoTime();
		try {
			this.wakeUps = this.worker.wakeUps();
			read(new ArrayList<>(all()));
			this.health.succeeded();
		}
		catch (RuntimeException | Error ex) {
			Duration unused = this.health.failed(ex);
			this.wakeUps = -1;
		}
		finally {
			ended(Duration.ofNanos(System.nanoTime() - begun));
		}
	}

	/**
	 * Many keys must not keep the database busy. New partitions do not wait for that.
	 */
	private synchronized void ended(Duration time) {
		Duration pause = time.multipliedBy(MIN_PAUSES);
		if (pause.compareTo(READ_INTERVAL) > 0 && all().stream().allMatch(DirectPartition::isReady)) {
			this.nextRead.reset(pause);
		}
		this.reading.set(false);
	}

	/**
	 * A partition is assigned before its keys are read, so that no former owner writes
	 * afterwards.
	 */
	private void read(List<DirectPartition> some) {
		Map<DirectPartition, Assignment> assigned = new HashMap<>();
		Map<DirectPartition, Long> marks = new HashMap<>();
		for (DirectPartition each : some) {
			if (!each.isAssigned()) {
				assigned.put(each, this.worker.assign(each.source()));
			}
			marks.put(each, each.keys().mark());
		}
		Map<String, Set<String>> live = this.worker.liveKeys(some.stream().map(DirectPartition::source).toList(),
				this.topic.queue());
		marks.forEach((each, mark) -> {
			each.keys().read(live.getOrDefault(each.source(), Set.of()), mark);
			Assignment own = assigned.get(each);
			if (own != null) {
				each.assigned(own);
			}
		});
	}

	@Override
	public synchronized void close() {
		this.worker.removeListener(this.onWakeUp);
		all().forEach(DirectPartition::lose);
		this.database.shutdownNow();
	}

}
