package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.concurrent.Deadline;
import io.jobqueue.internal.concurrent.NamedThreads;
import io.jobqueue.internal.direct.DirectJob;
import io.jobqueue.internal.direct.DirectWorker;

/**
 * Consumes a topic in a share group, with a consumer for each handler that may run at a
 * time. Each has a thread of its own that opens it again after a failure.
 */
final class ShareGroupConsumer implements TopicConsumer {

	private static final Logger logger = LoggerFactory.getLogger(ShareGroupConsumer.class);

	private static final Duration PAUSE_CHECKS = Duration.ofMillis(100);

	private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(2);

	private static final Duration LAST_WRITES = Duration.ofSeconds(5);

	private static final Duration CLOSE = Duration.ofSeconds(5);

	private final ConsumedTopic topic;

	private final ShareGroup group;

	private final DirectWorker worker;

	private final DirectRuns runs;

	private final RecordCounts counts;

	private final ConsumerHealth health;

	private final Set<Integer> failing = ConcurrentHashMap.newKeySet();

	private final ThreadFactory factory;

	private final List<Thread> threads = new CopyOnWriteArrayList<>();

	private final Deadline timeout = new Deadline();

	private volatile CountDownLatch stop = new CountDownLatch(0);

	private volatile boolean running;

	ShareGroupConsumer(ConsumedTopic topic, ConsumerSettings settings, DirectWorker worker, RecordReader reader,
			RecordCounts counts) {
		this.topic = topic;
		this.group = new ShareGroup(topic, settings, reader.cluster());
		this.worker = worker;
		this.runs = new DirectRuns(topic.queue(), worker, reader, counts);
		this.counts = counts;
		this.health = new ConsumerHealth(logger, "The share group of topic '%s'".formatted(topic.topic()));
		this.factory = NamedThreads.daemons("jobqueue-share-" + topic.topic() + "-");
	}

	@Override
	public ConsumedTopic topic() {
		return this.topic;
	}

	/**
	 * Refuse the context if the brokers refuse the group. If none answers, they are asked
	 * again until one does.
	 */
	@Override
	public void start() {
		this.stop = new CountDownLatch(1);
		this.running = true;
		try {
			startPrepared();
		}
		catch (KafkaException ex) {
			Duration pause = this.health.failed(ex);
			startThread(() -> prepareUntilStop(pause));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void startPrepared() throws InterruptedException {
		this.group.prepare();
		for (int number = 0; number < this.worker.concurrency(this.topic.queue()); number++) {
			int own = number;
			startThread(() -> consumeUntilStop(own));
		}
	}

	private boolean isStopping() {
		return this.stop.getCount() == 0;
	}

	private synchronized void startThread(Runnable task) {
		if (!isStopping()) {
			Thread next = this.factory.newThread(task);
			this.threads.add(next);
			next.start();
		}
	}

	private void prepareUntilStop(Duration first) {
		try {
			Duration pause = first;
			while (pause != null && !stopsWithin(pause)) {
				pause = tryToPrepare();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean stopsWithin(Duration time) throws InterruptedException {
		return this.stop.await(time.toMillis(), TimeUnit.MILLISECONDS);
	}

	/**
	 * Try to start the consumers.
	 * @return the time until the next try, {@code null} if they are started
	 */
	private @Nullable Duration tryToPrepare() throws InterruptedException {
		try {
			startPrepared();
			this.health.succeeded();
			return null;
		}
		catch (RuntimeException ex) {
			return this.health.failed(ex);
		}
	}

	private void consumeUntilStop(int number) {
		try {
			Duration pause = Duration.ZERO;
			while (!stopsWithin(pause)) {
				pause = this.runs.isPaused() ? PAUSE_CHECKS : tryToConsume(number);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Consume until the consumer ends.
	 * @return the time until the next try
	 */
	private Duration tryToConsume(int number) throws InterruptedException {
		try {
			consume(number);
			return Duration.ZERO;
		}
		catch (RuntimeException | Error ex) {
			this.failing.add(number);
			return this.health.failed(ex);
		}
	}

	private void consume(int number) throws InterruptedException {
		ShareConsumer<byte[], byte[]> consumer = this.group.consumer(number);
		try {
			new ShareMember(this.topic, consumer, this.runs, this.worker, this.counts, this::isStopping)
				.run(() -> works(number));
		}
		finally {
			close(consumer);
		}
	}

	/**
	 * The group works again once all of its consumers do.
	 */
	private void works(int number) {
		if (this.failing.remove(number) && this.failing.isEmpty()) {
			this.health.succeeded();
		}
	}

	private void close(ShareConsumer<byte[], byte[]> consumer) {
		try {
			consumer.close(CLOSE);
		}
		catch (KafkaException ex) {
			logger.debug("A consumer of topic '{}' has not left its group", this.topic.topic(), ex);
		}
	}

	/**
	 * The handlers of several topics have the same time to end.
	 */
	@Override
	public synchronized void beginStop() {
		if (!isStopping()) {
			this.timeout.reset(this.worker.shutdownTimeout());
			this.stop.countDown();
		}
	}

	/**
	 * Let handlers end, interrupt those that take too long, and acknowledge their
	 * records, which are jobs by then.
	 */
	@Override
	public void stop() {
		beginStop();
		this.running = false;
		try {
			stopHandlers();
			boolean unused = awaitThreads(CLOSE);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.threads.forEach(Thread::interrupt);
		this.threads.clear();
	}

	private void stopHandlers() throws InterruptedException {
		Predicate<DirectJob> own = (job) -> job.source().equals(this.topic.source());
		if (!awaitThreads(this.timeout.remaining())) {
			this.worker.interrupt(own);
			if (!awaitThreads(AFTER_INTERRUPT)) {
				this.worker.abandon(own);
				boolean unused = awaitThreads(LAST_WRITES);
			}
		}
	}

	private boolean awaitThreads(Duration atMost) throws InterruptedException {
		long deadline = System.nanoTime() + atMost.toNanos();
		for (Thread each : this.threads) {
			each.join(Math.max(1, Duration.ofNanos(deadline - System.nanoTime()).toMillis()));
		}
		return this.threads.stream().noneMatch(Thread::isAlive);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public @Nullable String problem() {
		return this.health.problem();
	}

}
