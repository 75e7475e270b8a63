package io.jobqueue.internal.kafka.relay;

import java.util.List;

import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;

class SendFailureTests {

	static final List<Exception> OF_THE_RECORD = List.of(new InvalidRecordException("no key"),
			new RecordTooLargeException("too large"), new InvalidTimestampException("future"),
			new PolicyViolationException("policy"));

	static final List<Exception> OF_THE_BROKER = List.of(new TimeoutException("late"),
			new NotEnoughReplicasAfterAppendException("one"), new TopicAuthorizationException("orders"),
			new SaslAuthenticationException("password"), new OutOfOrderSequenceException("gap"),
			new InvalidProducerEpochException("fenced"), new IllegalStateException("closed"));

	@ParameterizedTest
	@FieldSource("OF_THE_RECORD")
	void recordIsRefused(Exception failure) {
		assertThat(SendFailure.of(failure)).isEqualTo(SendFailure.REFUSED);
	}

	@ParameterizedTest
	@FieldSource("OF_THE_BROKER")
	void failureOfTheBrokerDoesNotCount(Exception failure) {
		assertThat(SendFailure.of(failure)).isEqualTo(SendFailure.UNKNOWN);
	}

	@Test
	void plainExceptionIsThatOfANeighbour() {
		assertThat(SendFailure.of(new KafkaException("part of a batch"))).isEqualTo(SendFailure.NEIGHBOUR);
	}

}
