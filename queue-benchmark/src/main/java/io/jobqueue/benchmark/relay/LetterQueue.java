package io.jobqueue.benchmark.relay;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import io.jobqueue.JobRequest;
import io.jobqueue.benchmark.relay.Letters.Letter;
import io.jobqueue.benchmark.relay.Letters.RelayedLetter;
import io.jobqueue.benchmark.relay.Letters.SentLetter;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.timing.Progress;
import io.jobqueue.internal.relay.RelayWorker;
import io.jobqueue.testpostgres.KafkaCluster;

/**
 * An application whose jobs have a payload of some 200 bytes, beside a broker that has
 * the topic of those that are sent.
 */
final class LetterQueue implements AutoCloseable {

	private static final int PARTITIONS = 6;

	private static final int KEYS = 10_000;

	private static final String TEXT = "x".repeat(170);

	private static final long CHECKS_MS = 20;

	private final BenchmarkDatabase database;

	private final MeasuredQueue queue;

	private final KafkaCluster broker;

	private LetterQueue(BenchmarkDatabase database, MeasuredQueue queue, KafkaCluster broker) {
		this.database = database;
		this.queue = queue;
		this.broker = broker;
	}

	static LetterQueue start(BenchmarkDatabase database, KafkaCluster broker) {
		broker.create(Letters.TOPIC, PARTITIONS, Map.of());
		MeasuredQueue queue = MeasuredQueue.startWith(Letters.class, database,
				"jobqueue.defaults.retention.succeeded=0", "spring.kafka.bootstrap-servers=" + broker.address(),
				"jobqueue.queues.%s.relay.to=kafka".formatted(Letters.RELAYED),
				"jobqueue.queues.%s.relay.topic=%s".formatted(Letters.RELAYED, Letters.TOPIC));
		queue.bean(RelayWorker.class).stop();
		return new LetterQueue(database, queue, broker);
	}

	double relay(int jobs, boolean keyed) throws Exception {
		fill(jobs, keyed, RelayedLetter::new);
		long before = this.broker.size(Letters.TOPIC);
		double rate = this.queue.drainFilled(this.queue.bean(RelayWorker.class), jobs,
				() -> awaitRecords(before + jobs));
		Assert.state(!this.database.hasJobs(), "Some jobs were not relayed");
		return rate;
	}

	private void awaitRecords(long expected) throws InterruptedException {
		while (this.broker.size(Letters.TOPIC) < expected) {
			Thread.sleep(CHECKS_MS);
		}
	}

	double drain(int jobs, boolean keyed) throws Exception {
		fill(jobs, keyed, Letter::new);
		return handle(jobs);
	}

	double send(int jobs, boolean keyed) throws Exception {
		fill(jobs, keyed, SentLetter::new);
		return handle(jobs);
	}

	private void fill(int jobs, boolean keyed, Payload payload) {
		this.database.removeJobs();
		this.queue.fill(jobs, (number) -> {
			String key = keyed ? "key-" + number % KEYS : null;
			JobRequest request = JobRequest.of(payload.of(TEXT, key));
			return (key != null) ? request.orderedBy(key) : request;
		});
		this.database.settle();
	}

	private double handle(int jobs) throws Exception {
		Progress progress = Progress.of(jobs);
		this.queue.bean(Letters.class).onJob(() -> progress.add(1));
		return this.queue.drainFilled(progress);
	}

	@Override
	public void close() {
		this.queue.close();
	}

	/**
	 * Creates payloads.
	 */
	@FunctionalInterface
	private interface Payload {

		Object of(String text, @Nullable String key);

	}

}
