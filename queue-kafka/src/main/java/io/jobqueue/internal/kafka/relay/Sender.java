package io.jobqueue.internal.kafka.relay;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.relay.Relay;
import io.jobqueue.internal.relay.RelayedJob;

/**
 * Sends the jobs of a relay, from one start to the next stop. The acknowledgements arrive
 * on the thread of the producer.
 */
final class Sender implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Sender.class);

	private static final Duration IDLE = Duration.ofSeconds(1);

	private static final Duration BUSY = Duration.ofMillis(50);

	private static final Duration POSTPONED_FOR = Duration.ofSeconds(3);

	private final Relay relay;

	private final RelayProducers producers;

	private final Runnable freed;

	private final RelayHealth health;

	private final InFlight inFlight;

	private final BlockingQueue<RelayedJob> waiting = new LinkedBlockingQueue<>();

	private final Queue<RelayedJob> neighbours = new ConcurrentLinkedQueue<>();

	private volatile @Nullable OpenProducer producer;

	private volatile boolean stopping;

	private boolean open;

	Sender(Relay relay, RelayProducers producers, Runnable freed) {
		this.relay = relay;
		this.producers = producers;
		this.freed = freed;
		this.health = new RelayHealth("The relay of queue '%s' to topic '%s'".formatted(relay.queue(), relay.topic()));
		this.inFlight = new InFlight(producers.settings().buffer() / 2);
	}

	InFlight inFlight() {
		return this.inFlight;
	}

	int capacity() {
		return this.stopping ? 0 : this.health.capacity(this.inFlight);
	}

	@Nullable String problem() {
		return this.health.problem(this.inFlight);
	}

	void accept(Collection<RelayedJob> jobs) {
		jobs.forEach((job) -> this.inFlight.begin(job, JobRecord.size(job.job())));
		this.waiting.addAll(jobs);
	}

	@Override
	public void run() {
		while (!this.stopping) {
			try {
				step();
			}
			catch (InterruptedException | InterruptException ex) {
				logger.debug("The sender of queue {} was interrupted", this.relay.queue(), ex);
			}
			catch (Throwable ex) {
				failed(ex);
			}
		}
	}

	/**
	 * Jobs are sent only while the topic is known to the producer: a send would wait for
	 * its metadata, and could fail without having sent anything.
	 */
	private void step() throws InterruptedException {
		Deque<RelayedJob> jobs = next();
		try {
			OpenProducer current = producer();
			if (findTopic(current)) {
				noteCapacity();
				sendAlone(current);
				while (!jobs.isEmpty()) {
					send(current, jobs.removeFirst(), false);
				}
			}
		}
		finally {
			jobs.forEach(this::release);
		}
	}

	/**
	 * If this throws, the producer may have taken the record or not. The producer reports
	 * failures of the broker otherwise, so that this one may come from the application's
	 * partitioner, for this record each time: uncounted, it would hold up the queue for
	 * ever.
	 */
	private void send(OpenProducer current, RelayedJob job, boolean alone) {
		try {
			current.send(job, alone);
		}
		catch (InterruptException | Error ex) {
			release(job);
			throw ex;
		}
		catch (RuntimeException ex) {
			end(job, () -> thrown(current, job, ex));
			throw ex;
		}
	}

	private void thrown(OpenProducer from, RelayedJob job, RuntimeException failure) {
		if (this.stopping || from.isAborted()) {
			job.release();
		}
		else {
			job.refused(failure);
		}
	}

	private Deque<RelayedJob> next() throws InterruptedException {
		Deque<RelayedJob> jobs = new ArrayDeque<>();
		boolean idle = this.inFlight.isEmpty() && capacity() > 0;
		RelayedJob first = this.waiting.poll((idle ? IDLE : BUSY).toMillis(), TimeUnit.MILLISECONDS);
		if (first != null) {
			jobs.add(first);
			this.waiting.drainTo(jobs);
		}
		return jobs;
	}

	private OpenProducer producer() {
		OpenProducer current = this.producer;
		if (current != null && current.isBroken()) {
			current.abort();
			current = null;
		}
		if (current == null) {
			current = new OpenProducer(this.producers, this.relay.topic(), this::ended);
			this.producer = current;
		}
		return current;
	}

	private boolean findTopic(OpenProducer current) throws InterruptedException {
		try {
			current.findTopic();
			this.health.topicFound();
			return true;
		}
		catch (InterruptException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			this.health.topicMissing(ex);
			Thread.sleep(RelayHealth.PAUSE.toMillis());
			return false;
		}
	}

	/**
	 * The capacity also grows with time.
	 */
	private void noteCapacity() {
		boolean now = capacity() > 0;
		if (now && !this.open) {
			this.freed.run();
		}
		this.open = now;
	}

	/**
	 * The broker refuses the records of a producer batch together, so that each of these
	 * jobs gets one of its own.
	 */
	private void sendAlone(OpenProducer current) {
		if (!this.neighbours.isEmpty()) {
			current.flush();
		}
		for (RelayedJob job = this.neighbours.poll(); job != null; job = this.neighbours.poll()) {
			send(current, job, true);
			current.flush();
		}
	}

	/**
	 * Decide what an acknowledgement, or its failure, means for a job.
	 */
	private void ended(OpenProducer from, RelayedJob job, boolean alone, @Nullable Exception failure) {
		if (failure == null) {
			this.health.acknowledged();
			end(job, job::acknowledged);
		}
		else if (this.stopping || from.isAborted()) {
			release(job);
		}
		else {
			failed(from, job, alone, failure);
		}
	}

	private void failed(OpenProducer from, RelayedJob job, boolean alone, Exception failure) {
		SendFailure kind = SendFailure.of(failure);
		if (kind == SendFailure.NEIGHBOUR && !alone) {
			this.neighbours.add(job);
		}
		else if (kind == SendFailure.UNKNOWN) {
			from.failed(failure);
			this.health.failed(failure);
			end(job, () -> job.postpone(POSTPONED_FOR));
		}
		else {
			end(job, () -> job.refused(failure));
		}
	}

	private void release(RelayedJob job) {
		end(job, job::release);
	}

	private void end(RelayedJob job, Runnable outcome) {
		boolean grown = this.inFlight.end(job);
		outcome.run();
		if (grown) {
			this.freed.run();
		}
	}

	/**
	 * A producer that throws may be in a state from which it does not recover.
	 */
	private void failed(Throwable failure) {
		this.health.failed(failure);
		OpenProducer last = this.producer;
		this.producer = null;
		if (last != null) {
			last.abort();
		}
		pause();
	}

	private static void pause() {
		try {
			Thread.sleep(RelayHealth.PAUSE.toMillis());
		}
		catch (InterruptedException ex) {
			logger.debug("A stop has ended the pause", ex);
		}
	}

	/**
	 * Send nothing more.
	 */
	void stop() {
		this.stopping = true;
		List<RelayedJob> unsent = new ArrayList<>();
		this.waiting.drainTo(unsent);
		unsent.forEach(this::release);
	}

	/**
	 * Release the jobs that are not acknowledged.
	 */
	void abort() {
		OpenProducer last = this.producer;
		this.producer = null;
		if (last != null) {
			last.abort();
		}
		this.neighbours.forEach(this::release);
	}

}
