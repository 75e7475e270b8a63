package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.concurrent.Deadline;

/**
 * Polls a consumer, and acknowledges records once they are jobs. If the database fails,
 * the consumer stays in its group, and gets the records again after a pause.
 */
final class InboxLoop implements ConsumerRebalanceListener {

	private static final Logger logger = LoggerFactory.getLogger(InboxLoop.class);

	private static final Duration POLL = Duration.ofMillis(100);

	private static final Duration BROKER = Duration.ofSeconds(2);

	private static final Duration MAX_PAUSE = Duration.ofSeconds(3);

	private static final Duration COMMITS = Duration.ofSeconds(5);

	private final ConsumedTopic topic;

	private final Consumer<byte[], byte[]> consumer;

	private final Inbox inbox;

	private final ConsumerHealth health;

	private final ConsumerHealth database;

	private final Deadline nextStore = new Deadline();

	private final Deadline nextCommit = new Deadline();

	/**
	 * The partitions of which the group may have no offset.
	 */
	private final Set<TopicPartition> withoutOffset = new HashSet<>();

	InboxLoop(ConsumedTopic topic, Consumer<byte[], byte[]> consumer, Inbox inbox, ConsumerHealth health,
			ConsumerHealth database) {
		this.topic = topic;
		this.consumer = consumer;
		this.inbox = inbox;
		this.health = health;
		this.database = database;
		this.nextStore.reset(Duration.ZERO);
		this.nextCommit.reset(COMMITS);
	}

	void runUntil(BooleanSupplier stopped) {
		this.consumer.subscribe(List.of(this.topic.topic()), this);
		while (!stopped.getAsBoolean()) {
			step();
		}
	}

	private void step() {
		if (this.nextStore.isDue()) {
			resume();
		}
		ConsumerRecords<byte[], byte[]> records = this.consumer.poll(POLL);
		this.health.polled();
		if (records.isEmpty()) {
			idle();
		}
		else if (store(records)) {
			commit();
		}
		else {
			giveBack(records);
		}
	}

	private void resume() {
		Set<TopicPartition> ready = new HashSet<>(this.consumer.paused());
		ready.removeAll(this.withoutOffset);
		this.consumer.resume(ready);
	}

	/**
	 * A record that the database has refused may have gone to another node.
	 */
	private void idle() {
		if (this.nextStore.isDue()) {
			this.database.polled();
		}
		boolean due = this.nextCommit.isDue();
		if (due) {
			this.nextCommit.reset(COMMITS);
		}
		if (due || this.withoutOffset.stream().anyMatch(this::isKnown)) {
			commit();
		}
	}

	private boolean isKnown(TopicPartition partition) {
		try {
			return this.consumer.position(partition, Duration.ZERO) >= 0;
		}
		catch (TimeoutException ex) {
			return false;
		}
	}

	/**
	 * Records are polled once the group has an offset: one that begins with the latest
	 * records would miss what is written until its first commit, if it ended before.
	 */
	@Override
	public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
		this.consumer.pause(assigned);
		this.withoutOffset.addAll(assigned);
	}

	@Override
	public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
		this.withoutOffset.removeAll(revoked);
	}

	/**
	 * Make jobs of records.
	 * @return {@code false} if the database did not take them
	 */
	private boolean store(ConsumerRecords<byte[], byte[]> records) {
		try {
			this.inbox.store(records);
			this.database.succeeded();
			return true;
		}
		catch (RuntimeException | Error ex) {
			this.nextStore.reset(this.database.failed(ex));
			this.nextStore.within(MAX_PAUSE);
			return false;
		}
	}

	private void giveBack(ConsumerRecords<byte[], byte[]> records) {
		for (TopicPartition each : records.partitions()) {
			this.consumer.seek(each, records.records(each).get(0).offset());
		}
		this.consumer.pause(this.consumer.assignment());
	}

	/**
	 * Acknowledge what was polled, with the markers of transactions behind it, so that
	 * the group has no lag. During a rebalance, the next poll reports which partitions
	 * are left: records that other nodes get are jobs already.
	 */
	private void commit() {
		List<TopicPartition> known = this.withoutOffset.stream().filter(this::isKnown).toList();
		try {
			this.consumer.commitSync(BROKER);
			known.forEach(this.withoutOffset::remove);
		}
		catch (RebalanceInProgressException | CommitFailedException | RetriableException ex) {
			logger.debug("The offsets of topic '{}' are not committed yet", this.topic.topic(), ex);
		}
	}

}
