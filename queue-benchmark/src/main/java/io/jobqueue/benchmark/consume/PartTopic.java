package io.jobqueue.benchmark.consume;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

import org.springframework.context.Lifecycle;
import org.springframework.util.Assert;

import io.jobqueue.JobRequest;
import io.jobqueue.benchmark.consume.Parts.Part;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.subject.ServerUsage;
import io.jobqueue.benchmark.timing.Progress;
import io.jobqueue.benchmark.timing.Rate;
import io.jobqueue.internal.direct.Sources;
import io.jobqueue.testpostgres.KafkaCluster;

/**
 * An application that consumes a topic of six partitions, and the processor time that
 * this has taken of each process.
 */
final class PartTopic implements AutoCloseable {

	private static final int PARTITIONS = 6;

	private static final int KEYS = 10_000;

	private static final String TEXT = "x".repeat(180);

	private static final byte[] VALUE = "{\"text\":\"%s\"}".formatted(TEXT).getBytes(StandardCharsets.UTF_8);

	private final BenchmarkDatabase database;

	private final MeasuredQueue queue;

	private final KafkaCluster broker;

	private final Lifecycle consumers;

	private long records;

	private Usage used = new Usage(Duration.ZERO, Duration.ZERO, Duration.ZERO);

	private PartTopic(BenchmarkDatabase database, MeasuredQueue queue, KafkaCluster broker) {
		this.database = database;
		this.queue = queue;
		this.broker = broker;
		this.consumers = (Lifecycle) queue.bean(Sources.class);
	}

	static PartTopic start(BenchmarkDatabase database, KafkaCluster broker) {
		broker.create(Parts.TOPIC, PARTITIONS, Map.of());
		MeasuredQueue queue = MeasuredQueue.startWith(Parts.class, database, "jobqueue.defaults.retention.succeeded=0",
				"spring.kafka.bootstrap-servers=" + broker.address(),
				"jobqueue.kafka.consume.%s.queue=%s".formatted(Parts.TOPIC, Parts.QUEUE),
				"jobqueue.kafka.consume.%s.type=part".formatted(Parts.TOPIC),
				"jobqueue.kafka.consume.%s.group=bench".formatted(Parts.TOPIC));
		PartTopic topic = new PartTopic(database, queue, broker);
		topic.consumers.stop();
		return topic;
	}

	/**
	 * Measure from the start of the worker and the consumer until the last handler has
	 * ended.
	 * @return records per second
	 */
	double consume(int count, boolean keyed) throws InterruptedException {
		this.database.removeJobs();
		send(count, keyed);
		Progress progress = Progress.of(count);
		this.queue.bean(Parts.class).onJob(() -> progress.add(1));
		Usage before = usage();
		long start = System.nanoTime();
		this.queue.startWorker();
		this.consumers.start();
		try {
			progress.await();
			return Rate.of(count, start);
		}
		finally {
			this.consumers.stop();
			this.queue.stopWorker();
			this.used = this.used.plus(usage().minus(before));
			this.records += count;
			Assert.state(!this.database.hasJobs(), "Some records have become jobs");
		}
	}

	private void send(int count, boolean keyed) {
		try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
				Map.of("bootstrap.servers", this.broker.address()), new ByteArraySerializer(),
				new ByteArraySerializer())) {
			for (int number = 0; number < count; number++) {
				byte[] key = keyed ? ("key-" + number % KEYS).getBytes(StandardCharsets.UTF_8) : null;
				Object unused = producer.send(record(key));
			}
		}
	}

	private static ProducerRecord<byte[], byte[]> record(byte @Nullable [] key) {
		return new ProducerRecord<>(Parts.TOPIC, key, VALUE);
	}

	double drain(int jobs) throws InterruptedException, SQLException {
		this.database.removeJobs();
		this.queue.fill(jobs, (number) -> JobRequest.of(new Part(TEXT)));
		this.database.settle();
		Progress progress = Progress.of(jobs);
		this.queue.bean(Parts.class).onJob(() -> progress.add(1));
		return this.queue.drainFilled(progress);
	}

	private Usage usage() {
		return new Usage(ProcessHandle.current().info().totalCpuDuration().orElseThrow(), this.broker.processorTime(),
				Duration.ofNanos(ServerUsage.of(this.database).nanos()));
	}

	double applicationMicros() {
		return micros(this.used.application());
	}

	double brokerMicros() {
		return micros(this.used.broker());
	}

	double databaseMicros() {
		return micros(this.used.database());
	}

	private double micros(Duration time) {
		return time.toNanos() / 1_000.0 / this.records;
	}

	@Override
	public void close() {
		this.queue.close();
	}

	/**
	 * The processor time of the processes.
	 *
	 * @param application that of this JVM
	 * @param broker that of the broker
	 * @param database that of the server
	 */
	private record Usage(Duration application, Duration broker, Duration database) {

		Usage plus(Usage other) {
			return new Usage(this.application.plus(other.application), this.broker.plus(other.broker),
					this.database.plus(other.database));
		}

		Usage minus(Usage other) {
			return new Usage(this.application.minus(other.application), this.broker.minus(other.broker),
					this.database.minus(other.database));
		}

	}

}
