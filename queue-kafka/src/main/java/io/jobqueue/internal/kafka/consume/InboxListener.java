package io.jobqueue.internal.kafka.consume;

import java.util.ArrayList;
import java.util.List;

import org.apache.kafka.clients.consumer.ConsumerRecord;

import org.springframework.kafka.listener.BatchMessageListener;

import io.jobqueue.JobReceipt;
import io.jobqueue.internal.kafka.consume.RecordCounts.Outcome;
import io.jobqueue.internal.outbox.Outbox;
import io.jobqueue.internal.store.NewJob;

/**
 * Makes jobs of the records of a topic, those of a poll in one transaction. The container
 * acknowledges them afterwards. If the database fails, it calls the listener again.
 */
final class InboxListener implements BatchMessageListener<byte[], byte[]> {

	private final RecordReader reader;

	private final Outbox outbox;

	private final RecordCounts counts;

	private final ConsumerHealth consumer;

	private final ConsumerHealth database;

	InboxListener(RecordReader reader, Outbox outbox, RecordCounts counts, ConsumerHealth consumer,
			ConsumerHealth database) {
		this.reader = reader;
		this.outbox = outbox;
		this.counts = counts;
		this.consumer = consumer;
		this.database = database;
	}

	@Override
	public void onMessage(List<ConsumerRecord<byte[], byte[]>> messages) {
		this.consumer.succeeded();
		List<NewJob> jobs = new ArrayList<>(messages.size());
		for (ConsumerRecord<byte[], byte[]> message : messages) {
			NewJob job = this.reader.read(message, null);
			if (job != null) {
				jobs.add(job);
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
	 * The container would stop after an error, and the topic with it.
	 */
	private List<JobReceipt> enqueue(List<NewJob> jobs) {
		try {
			List<JobReceipt> receipts = this.outbox.enqueueEncoded(jobs);
			this.database.succeeded();
			return receipts;
		}
		catch (RuntimeException | Error ex) {
			this.database.failed(ex);
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
