package io.jobqueue.internal.kafka.relay;

import java.util.List;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.ApplicationRecoverableException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * What the failure of a send says of its job.
 */
enum SendFailure {

	/**
	 * The client or the broker has refused the record: the attempt has failed.
	 */
	REFUSED,

	/**
	 * The broker has refused another record of the same producer batch, and has written
	 * none of them: the job is sent again, in a batch of its own.
	 */
	NEIGHBOUR,

	/**
	 * The record may have been written, or not: the job is sent again, uncounted.
	 */
	UNKNOWN;

	/**
	 * What is wrong with the broker, the producer or their settings.
	 */
	private static final List<Class<? extends ApiException>> COMMON = List.of(RetriableException.class,
			ApplicationRecoverableException.class, OutOfOrderSequenceException.class, AuthenticationException.class,
			AuthorizationException.class, UnsupportedVersionException.class, InvalidTopicException.class);

	/**
	 * Kafka reports the neighbours of a refused record with no class of their own.
	 */
	static SendFailure of(Exception failure) {
		if (failure.getClass() == KafkaException.class) {
			return NEIGHBOUR;
		}
		boolean common = COMMON.stream().anyMatch((type) -> type.isInstance(failure));
		return (failure instanceof ApiException && !common) ? REFUSED : UNKNOWN;
	}

}
