package io.jobqueue.internal.kafka.consume;

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

	RecordReader(ConsumedTopic topic, ClusterId cluster, RequestReader reader) {
		this.topic = topic;
		this.cluster = cluster;
		this.reader = reader;
	}

	ClusterId cluster() {
		return this.cluster;
	}

	/**
	 * Return the job of a record with a value.
	 * @param group the name of the group that the job is counted in
	 */
	NewJob read(ConsumerRecord<byte[], byte[]> message, @Nullable String group) {
		RecordJob job = new RecordJob(this.topic, this.cluster.toString(), message, group);
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
