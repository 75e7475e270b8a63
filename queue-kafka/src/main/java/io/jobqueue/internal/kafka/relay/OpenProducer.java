package io.jobqueue.internal.kafka.relay;

import java.time.Duration;
import java.util.concurrent.Future;

import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.relay.RelayedJob;

/**
 * A producer from its creation to its end.
 */
final class OpenProducer {

	private final RelayProducers producers;

	private final Producer<byte[], byte[]> producer;

	private final String topic;

	private final Acknowledgement acknowledgement;

	private volatile boolean aborted;

	private volatile boolean broken;

	OpenProducer(RelayProducers producers, String topic, Acknowledgement acknowledgement) {
		this.producers = producers;
		this.producer = producers.create();
		this.topic = topic;
		this.acknowledgement = acknowledgement;
	}

	/**
	 * Wait for the metadata of the topic, if the producer does not have it.
	 */
	void findTopic() {
		this.producer.partitionsFor(this.topic);
	}

	void send(RelayedJob job, boolean alone) {
		Future<RecordMetadata> unused = this.producer.send(JobRecord.of(job, this.topic),
				(metadata, failure) -> this.acknowledgement.ended(this, job, alone, failure));
	}

	void flush() {
		this.producer.flush();
	}

	/**
	 * Note a failure that is not due to a record. The producer retries the retriable ones
	 * by itself.
	 */
	void failed(Exception failure) {
		this.broken |= !(failure instanceof RetriableException);
	}

	/**
	 * Return whether the producer may fail for ever.
	 */
	boolean isBroken() {
		return this.broken;
	}

	/**
	 * Return whether records have failed because of {@link #abort}.
	 */
	boolean isAborted() {
		return this.aborted;
	}

	/**
	 * Close the producer without waiting for its records.
	 */
	void abort() {
		this.aborted = true;
		this.producers.closing(this.producer);
		this.producer.close(Duration.ZERO);
	}

	/**
	 * Receives what became of a record.
	 */
	@FunctionalInterface
	interface Acknowledgement {

		/**
		 * A record has been acknowledged, or has failed.
		 * @param failure the failure, {@code null} if it was acknowledged
		 */
		void ended(OpenProducer from, RelayedJob job, boolean alone, @Nullable Exception failure);

	}

}
