package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.internal.direct.DirectJob;
import io.jobqueue.internal.direct.DirectJob.Ending;
import io.jobqueue.internal.direct.DirectWorker;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.NewJob.JobKeys;
import io.jobqueue.internal.store.NewJob.Predecessors;
import io.jobqueue.internal.store.SourceStore.Assignment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * How many records are open: a consumer that counts too many stops to poll.
 */
class DirectRunsTests {

	private static final TopicPartition PARTITION = new TopicPartition("orders", 0);

	private final DirectWorker worker = mock(DirectWorker.class);

	private final RecordReader reader = mock(RecordReader.class);

	private final DirectRuns runs = new DirectRuns("inbox", this.worker, this.reader, new RecordCounts());

	private final DirectPartition partition = new DirectPartition(PARTITION, "source", this.runs);

	private final List<DirectJob> running = new ArrayList<>();

	@BeforeEach
	void read() {
		given(this.reader.read(any(), any())).willAnswer((call) -> job(call.getArgument(0)));
		given(this.worker.runs(any(), any())).willReturn(true);
		willAnswer((call) -> this.running.add(call.getArgument(0))).given(this.worker).run(any());
		this.partition.suspect(null);
		this.partition.assigned(new Assignment("source", 1));
	}

	private static @Nullable NewJob job(ConsumerRecord<byte[], byte[]> message) {
		JobKeys keys = new JobKeys(null, (message.key() != null) ? "key" : null, null, null);
		return (message.value() == null) ? null : new NewJob(UUID.randomUUID(), "inbox", "order", Encoded.ofText("{}"),
				0, null, Duration.ZERO, null, null, null, null, keys, Predecessors.NONE);
	}

	/**
	 * Those that run belong to the former consumer until they have ended.
	 */
	@Test
	void recordsOfALostPartitionAreOpenUntilTheirHandlersHaveEnded() {
		begin();
		this.partition.lose();
		assertThat(this.runs.open()).isEqualTo(3);
		end(Ending.SUCCEEDED);
		end(Ending.LOST);
		end(Ending.WITHDRAWN);
		assertThat(this.runs.open()).isZero();
	}

	@Test
	void recordsThatAreLeftToTheNextOwnerAreNotOpen() {
		begin();
		this.partition.leave();
		this.partition.dropRest();
		end(Ending.SUCCEEDED);
		end(Ending.STORED);
		end(Ending.DUPLICATE);
		assertThat(this.runs.open()).isZero();
	}

	/**
	 * Two records of a key, of which one begins, two without one, and a tombstone.
	 */
	private void begin() {
		this.partition.add(List.of(message(0, new byte[0], new byte[0]), message(1, null, new byte[0]),
				message(2, null, new byte[0]), message(3, new byte[0], null), message(4, new byte[0], new byte[0])), 5);
		this.partition.committed(this.partition.toCommit());
		this.partition.begin();
		assertThat(this.running).hasSize(3);
		assertThat(this.runs.open()).isEqualTo(4);
	}

	private void end(Ending ending) {
		ReflectionTestUtils.invokeMethod(this.running.remove(0), "end", ending);
	}

	private static ConsumerRecord<byte[], byte[]> message(long offset, byte @Nullable [] key, byte @Nullable [] value) {
		return new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), offset, key, value);
	}

}
