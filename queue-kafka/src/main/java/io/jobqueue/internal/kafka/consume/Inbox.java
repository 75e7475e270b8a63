package io.jobqueue.internal.kafka.consume;

import java.util.ArrayList;
import java.util.List;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

import io.jobqueue.JobReceipt;
import io.jobqueue.internal.kafka.consume.RecordCounts.Outcome;
import io.jobqueue.internal.outbox.Outbox;
import io.jobqueue.internal.store.NewJob;

/**
 * Makes jobs of records, those of a poll in one transaction.
 */
final class Inbox {

	private final RecordReader reader;

	private final Outbox outbox;

	private final RecordCounts counts;

	Inbox(RecordReader reader, Outbox outbox, RecordCounts counts) {
		this.reader = reader;
		this.outbox = outbox;
		this.counts = counts;
	}

	void store(ConsumerRecords<byte[], byte[]> records) {
		List<NewJob> jobs = new ArrayList<>(records.count());
		for (ConsumerRecord<byte[], byte[]> each : records) {
			NewJob job = this.reader.read(each, null);
			if (job != null) {
				jobs.add(job);
			}
		}
		List<JobReceipt> receipts = jobs.isEmpty() ? List.of() : this.outbox.enqueueEncoded(jobs);
		for (int index = 0; index < jobs.size(); index++) {
			this.counts.add(outcome(jobs.get(index), receipts.get(index)));
		}
		for (int tombstone = jobs.size(); tombstone < records.count(); tombstone++) {
			this.counts.add(Outcome.TOMBSTONE);
		}
	}

	private static Outcome outcome(NewJob job, JobReceipt receipt) {
		if (!receipt.accepted()) {
			return Outcome.DUPLICATE;
		}
		return job.type().equals(RecordJob.UNKNOWN) ? Outcome.UNKNOWN : Outcome.ENQUEUED;
	}

}
