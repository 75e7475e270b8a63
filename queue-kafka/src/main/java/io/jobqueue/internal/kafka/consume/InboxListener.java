package io.jobqueue.internal.kafka.consume;

import java.util.ArrayList;
import java.util.List;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.kafka.listener.BatchMessageListener;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobRejectedException;
import io.jobqueue.internal.kafka.consume.RecordCounts.Outcome;
import io.jobqueue.internal.logging.FailureLog;
import io.jobqueue.internal.outbox.Outbox;
import io.jobqueue.internal.outbox.RequestReader;
import io.jobqueue.internal.store.NewJob;

/**
 * Makes jobs of the records of a topic, those of a poll in one transaction. The container
 * acknowledges them afterwards. If the database fails, it calls the listener again.
 */
final class InboxListener implements BatchMessageListener<byte[], byte[]> {

	private static final Logger logger = LoggerFactory.getLogger(InboxListener.class);

	private final ConsumedTopic topic;

	private final ClusterId cluster;

	private final RequestReader reader;

	private final Outbox outbox;

	private final RecordCounts counts = new RecordCounts();

	private final FailureLog failures;

	InboxListener(ConsumedTopic topic, ClusterId cluster, RequestReader reader, Outbox outbox) {
		this.topic = topic;
		this.cluster = cluster;
		this.reader = reader;
		this.outbox = outbox;
		this.failures = FailureLog.of(logger, "The inbox of topic '%s'".formatted(topic.topic()));
	}

	ClusterId cluster() {
		return this.cluster;
	}

	RecordCounts counts() {
		return this.counts;
	}

	@Override
	public void onMessage(List<ConsumerRecord<byte[], byte[]>> messages) {
		List<NewJob> jobs = new ArrayList<>(messages.size());
		for (ConsumerRecord<byte[], byte[]> message : messages) {
			if (message.value() != null) {
				jobs.add(job(new RecordJob(this.topic, this.cluster.toString(), message)));
			}
		}
		List<JobReceipt> receipts = jobs.isEmpty() ? List.of() : enqueue(jobs);
		for (int index = 0; index < jobs.size(); index++) {
			this.counts.add(outcome(jobs.get(index), receipts.get(index)));
		}
		for (int tombstone = jobs.size(); tombstone < messages.size(); tombstone++) {
			this.counts.add(Outcome.TOMBSTONE);
		}
	}

	/**
	 * A record that cannot be stored as it is must not stop those behind it.
	 */
	private NewJob job(RecordJob job) {
		try {
			return this.reader.read(job.request());
		}
		catch (JobRejectedException ex) {
			logger.warn("A record of topic '{}' becomes a dead job: {}", this.topic.topic(), ex.getMessage());
			return this.reader.read(job.unknown());
		}
	}

	/**
	 * The container would stop after an error, and the topic with it.
	 */
	private List<JobReceipt> enqueue(List<NewJob> jobs) {
		try {
			List<JobReceipt> receipts = this.outbox.enqueueEncoded(jobs);
			this.failures.succeeded();
			return receipts;
		}
		catch (RuntimeException | Error ex) {
			this.failures.failed(ex);
			throw (ex instanceof RuntimeException exception) ? exception : new IllegalStateException(ex);
		}
	}

	private static Outcome outcome(NewJob job, JobReceipt receipt) {
		if (!receipt.accepted()) {
			return Outcome.DUPLICATE;
		}
		return job.type().equals(RecordJob.UNKNOWN) ? Outcome.UNKNOWN : Outcome.ENQUEUED;
	}

}
