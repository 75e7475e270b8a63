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

	private final ConsumerHealth health;

	InboxListener(RecordReader reader, Outbox outbox, RecordCounts counts, ConsumerHealth health) {
		this.reader = reader;
		this.outbox = outbox;
		this.counts = counts;
		this.health = health;
	}

	@Override
	public void onMessage(List<ConsumerRecord<byte[], byte[]>> messages) {
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
			this.health.succeeded();
			return receipts;
		}
		catch (RuntimeException | Error ex) {
			this.health.failed(ex);
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
