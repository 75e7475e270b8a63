package io.jobqueue.internal.kafka.consume;

import java.util.function.Predicate;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.JobRejectedException;
import io.jobqueue.internal.outbox.RequestReader;
import io.jobqueue.internal.store.NewJob;

/**
 * Reads the jobs of records. A record that cannot be stored as it is must not stop those
 * behind it.
 */
final class RecordReader {

	private static final Logger logger = LoggerFactory.getLogger(RecordReader.class);

	private final ConsumedTopic topic;

	private final ClusterId cluster;

	private final RequestReader reader;

	private final Predicate<String> takesNull;

	/**
	 * @param takesNull tests whether the handler of a type takes jobs without a payload
	 */
	RecordReader(ConsumedTopic topic, ClusterId cluster, RequestReader reader, Predicate<String> takesNull) {
		this.topic = topic;
		this.cluster = cluster;
		this.reader = reader;
		this.takesNull = takesNull;
	}

	ClusterId cluster() {
		return this.cluster;
	}

	/**
	 * Return the job of a record, {@code null} for a tombstone that no handler takes.
	 * @param group the name of the group that the job is counted in
	 */
	@Nullable NewJob read(ConsumerRecord<byte[], byte[]> message, @Nullable String group) {
		RecordJob job = new RecordJob(this.topic, this.cluster.toString(), message, group);
		String type = job.type();
		if (message.value() == null && (type == null || !this.takesNull.test(type))) {
			return null;
		}
		return read(job);
	}

	private NewJob read(RecordJob job) {
		try {
			return this.reader.read(job.request());
		}
		catch (JobRejectedException ex) {
			logger.warn("The record {} becomes a dead job: {}", job.position(), ex.getMessage());
			return unknown(job);
		}
	}

	private NewJob unknown(RecordJob job) {
		try {
			return this.reader.read(job.unknown());
		}
		catch (JobRejectedException ex) {
			logger.debug("The record {} is stored without its value and its headers", job.position(), ex);
			return this.reader.read(job.bare());
		}
	}

}
