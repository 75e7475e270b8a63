package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.concurrent.Deadline;
import io.jobqueue.internal.direct.DirectWorker;
import io.jobqueue.internal.kafka.consume.RecordCounts.Outcome;

/**
 * Polls a consumer of a share group for one record at a time, and renews its lock until
 * the record has ended. A consumer that renews a record fetches no further ones.
 */
final class ShareMember {

	private static final Logger logger = LoggerFactory.getLogger(ShareMember.class);

	private static final Duration POLL = Duration.ofMillis(200);

	private static final Duration BROKER = Duration.ofSeconds(5);

	private static final int RENEWALS_PER_LOCK = 3;

	private final ConsumedTopic topic;

	private final ShareConsumer<byte[], byte[]> consumer;

	private final DirectRuns runs;

	private final DirectWorker worker;

	private final RecordCounts counts;

	private final BooleanSupplier stopping;

	private final Deadline trial = new Deadline();

	private final Deadline nextRenewal = new Deadline();

	private boolean suspect;

	ShareMember(ConsumedTopic topic, ShareConsumer<byte[], byte[]> consumer, DirectRuns runs, DirectWorker worker,
			RecordCounts counts, BooleanSupplier stopping) {
		this.topic = topic;
		this.consumer = consumer;
		this.runs = runs;
		this.worker = worker;
		this.counts = counts;
		this.stopping = stopping;
	}

	/**
	 * Consume until a stop, or until the queue is paused: a consumer acquires records
	 * before they are polled, which would expire.
	 * @param works called once polls have not failed for some time, or return records
	 */
	void run(Runnable works) throws InterruptedException {
		this.trial.reset(ConsumerHealth.TRIAL);
		this.consumer.subscribe(List.of(this.topic.topic()));
		while (runsRecords()) {
			ConsumerRecords<byte[], byte[]> records = this.consumer.poll(POLL);
			if (!records.isEmpty() || this.trial.isDue()) {
				works.run();
			}
			for (ConsumerRecord<byte[], byte[]> each : records) {
				consume(each);
			}
		}
	}

	private boolean runsRecords() {
		return !this.stopping.getAsBoolean() && !this.runs.isPaused();
	}

	/**
	 * The client may have fetched the record beside the one before. If that was renewed,
	 * the lock of this one may have expired.
	 */
	private void consume(ConsumerRecord<byte[], byte[]> message) throws InterruptedException {
		boolean confirmed = !this.suspect || renew(message);
		this.suspect = false;
		if (confirmed) {
			consume(new AcquiredRecord(message, this.topic, this.runs));
		}
	}

	private void consume(AcquiredRecord record) throws InterruptedException {
		boolean acquired = true;
		resetRenewal();
		record.begin(runsRecords());
		while (!record.awaitEnd(POLL)) {
			if (!runsRecords()) {
				this.worker.withdraw(record::isOf);
			}
			this.worker.startMoreThreads();
			if (acquired && this.nextRenewal.isDue()) {
				this.suspect = true;
				acquired = renew(record.message());
			}
		}
		if (acquired) {
			acknowledge(record.message());
		}
	}

	private void resetRenewal() {
		this.nextRenewal
			.reset(Duration.ofMillis(this.consumer.acquisitionLockTimeoutMs().orElse(0)).dividedBy(RENEWALS_PER_LOCK));
	}

	/**
	 * A record that is renewed has to be polled again.
	 * @return {@code false} if the lock has expired, so that the record is delivered
	 * again
	 */
	private boolean renew(ConsumerRecord<byte[], byte[]> message) {
		if (!commit(message, AcknowledgeType.RENEW)) {
			return false;
		}
		ConsumerRecords<byte[], byte[]> renewed = this.consumer.poll(BROKER);
		for (ConsumerRecord<byte[], byte[]> each : renewed) {
			if (each.partition() != message.partition() || each.offset() != message.offset()) {
				throw new IllegalStateException("The record %s was not returned after it was renewed, but %s"
					.formatted(position(message), position(each)));
			}
		}
		resetRenewal();
		return !renewed.isEmpty();
	}

	private void acknowledge(ConsumerRecord<byte[], byte[]> message) {
		boolean unused = commit(message, AcknowledgeType.ACCEPT);
	}

	/**
	 * The results say what was refused: no exception is thrown for it.
	 */
	private boolean commit(ConsumerRecord<byte[], byte[]> message, AcknowledgeType type) {
		this.consumer.acknowledge(message, type);
		String refusal = refusal();
		if (refusal != null) {
			this.counts.add(Outcome.UNACKNOWLEDGED);
			logger.warn("The record {} is delivered again, as the broker has refused to {} it: {}", position(message),
					(type == AcknowledgeType.RENEW) ? "renew" : "acknowledge", refusal);
		}
		return refusal == null;
	}

	/**
	 * What is not sent, as the broker that has delivered the record does not lead its
	 * partition any more, has no result.
	 */
	private @Nullable String refusal() {
		Collection<Optional<KafkaException>> results = this.consumer.commitSync(BROKER).values();
		return results.isEmpty() ? "its partition has another leader"
				: results.stream().flatMap(Optional::stream).findFirst().map(KafkaException::toString).orElse(null);
	}

	private static String position(ConsumerRecord<?, ?> message) {
		return message.topic() + "-" + message.partition() + "@" + message.offset();
	}

}
