package io.jobqueue.internal.outbox;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.jobqueue.Batch;
import io.jobqueue.BatchDetails;
import io.jobqueue.BatchInfo;
import io.jobqueue.JobEnqueued;
import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.internal.context.CurrentJob;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.logging.JobLogStep;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.BatchStore;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.JobStore.EnqueueResult;
import io.jobqueue.internal.store.JobStore.Origin;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.observation.Interceptors;

/**
 * The transactional outbox: writes jobs in the caller's transaction, and publishes
 * wake-ups and events after its commit.
 */
public final class Outbox implements JobQueue {

	private static final Logger logger = LoggerFactory.getLogger("io.jobqueue.outbox");

	private final Interceptors interceptors;

	private final RequestReader reader;

	private final CallerTransaction transaction;

	private final JobStore store;

	private final BatchStore batches;

	private final FanOut topics;

	private final JobSignals signals;

	private final JobEvents events;

	private final List<EnqueueListener> listeners;

	/**
	 * Create an outbox.
	 * @param interceptors the interceptors around each call
	 * @param reader converts requests to jobs
	 * @param transaction joins the caller's transaction
	 * @param store writes jobs
	 * @param batches writes batches
	 * @param topics finds the jobs of what is published
	 * @param signals publishes wake-ups after the commit
	 * @param events publishes events after the commit
	 * @param listeners the listeners that measure calls
	 */
	public Outbox(Interceptors interceptors, RequestReader reader, CallerTransaction transaction, JobStore store,
			BatchStore batches, FanOut topics, JobSignals signals, JobEvents events, List<EnqueueListener> listeners) {
		this.interceptors = interceptors;
		this.reader = reader;
		this.transaction = transaction;
		this.store = store;
		this.batches = batches;
		this.topics = topics;
		this.signals = signals;
		this.events = events;
		this.listeners = listeners;
	}

	@Override
	public JobReceipt enqueue(Object payload) {
		return enqueue(JobRequest.of(payload));
	}

	@Override
	public JobReceipt enqueue(String queue, Object payload) {
		return enqueue(JobRequest.of(queue, payload));
	}

	@Override
	public JobReceipt enqueue(JobRequest request) {
		if (request == null) {
			throw new JobRejectedException("request", "must not be null");
		}
		return enqueue(List.of(request), this::write).get(0);
	}

	@Override
	public List<JobReceipt> enqueueAll(Collection<?> requestsOrPayloads) {
		List<JobRequest> requests = RequestReader.requests(requestsOrPayloads);
		return requests.isEmpty() ? List.of() : enqueue(requests, this::write);
	}

	/**
	 * The subscriptions are read in the transaction of the jobs.
	 */
	@Override
	public List<JobReceipt> publish(String topic, Object payloadOrRequest) {
		JobRequest published = RequestReader.request(() -> "payloadOrRequest", payloadOrRequest);
		AtomicBoolean written = new AtomicBoolean();
		return this.transaction.callAround(() -> {
			List<JobRequest> requests = this.topics.requests(topic, published);
			return requests.isEmpty() ? List.of() : enqueue(requests, (jobs) -> {
				written.set(true);
				return write(jobs);
			});
		}, written::get);
	}

	@Override
	public Batch.Builder batch(String name) {
		return new BatchBuilder(this.reader, name, this::start);
	}

	@Override
	public Batch batch(UUID id) {
		return new StoredBatch(Objects.requireNonNull(id, "'id' must not be null"), this);
	}

	private Batch start(String name, List<JobRequest> callbacks) {
		UUID id = this.reader.newId();
		AtomicBoolean written = new AtomicBoolean();
		return this.transaction.callAround(() -> {
			List<JobReceipt> unused = enqueue(callbacks, (jobs) -> {
				BatchBuilder.check(callbacks.size(), jobs);
				written.set(true);
				return this.batches.start(id, name, jobs, CurrentJob.id());
			});
			if (!written.get()) {
				BatchBuilder.check(callbacks.size(), List.of());
			}
			return batch(id);
		}, written::get);
	}

	private EnqueueResult write(List<NewJob> jobs) {
		return this.store.enqueue(jobs, Origin.of(CurrentJob.id(), null));
	}

	/**
	 * Enqueue jobs that something else than the store of jobs writes.
	 * @param requests the requests
	 * @param writer writes the jobs; interceptors may have changed them
	 * @return the receipts, in the order of the requests
	 */
	public List<JobReceipt> enqueue(List<JobRequest> requests, Function<List<NewJob>, EnqueueResult> writer) {
		if (this.interceptors.isEmpty()) {
			return this.interceptors.aroundEnqueue(requests, (observed) -> store(observed, writer));
		}
		AtomicBoolean written = new AtomicBoolean();
		return this.transaction.callAround(() -> this.interceptors.aroundEnqueue(requests, (passed) -> {
			List<JobReceipt> receipts = store(passed, writer);
			written.set(true);
			return receipts;
		}), written::get);
	}

	/**
	 * Enqueue jobs of {@linkplain EncodedRequest encoded requests} in a transaction of
	 * their own, all or none. Interceptors are not called. If this process is suspended
	 * meanwhile, the server ends the transaction, so that other nodes can go on.
	 * @param jobs the jobs
	 * @return the receipts, in the order of the jobs
	 */
	public List<JobReceipt> enqueueEncoded(List<NewJob> jobs) {
		return enqueueEncoded(jobs, this.store::enqueue);
	}

	/**
	 * Enqueue jobs like {@link #enqueueEncoded(List)}.
	 * @param jobs the jobs
	 * @param writer writes the jobs in the transaction
	 * @return the receipts, in the order of the jobs
	 */
	public List<JobReceipt> enqueueEncoded(List<NewJob> jobs, Function<List<NewJob>, EnqueueResult> writer) {
		return measured(jobs, System.nanoTime(), () -> this.transaction.callAlone(() -> alone(jobs, writer)));
	}

	private List<JobReceipt> alone(List<NewJob> jobs, Function<List<NewJob>, EnqueueResult> writer) {
		this.store.endIfSuspended(timeToSend(jobs));
		return published(jobs, writer.apply(jobs));
	}

	/**
	 * Return the time after which this process counts as suspended: 2 s, and 1 s for each
	 * million characters or bytes, for a slow network.
	 */
	private static Duration timeToSend(List<NewJob> jobs) {
		return Duration.ofSeconds(2 + jobs.stream().mapToLong(NewJob::size).sum() / 1_000_000);
	}

	private List<JobReceipt> store(List<JobRequest> requests, Function<List<NewJob>, EnqueueResult> writer) {
		long since = System.nanoTime();
		List<NewJob> jobs = this.reader.readAll(requests);
		return measured(jobs, since, () -> this.transaction.call(() -> published(jobs, writer.apply(jobs))));
	}

	private List<JobReceipt> measured(List<NewJob> jobs, long since, Supplier<List<JobReceipt>> write) {
		try {
			return write.get();
		}
		finally {
			notifyListeners(jobs, Duration.ofNanos(System.nanoTime() - since));
		}
	}

	private void notifyListeners(List<NewJob> jobs, Duration took) {
		if (!this.listeners.isEmpty()) {
			Map<String, String> queues = new HashMap<>();
			jobs.forEach((job) -> queues.put(job.queue(), job.type()));
			this.listeners.forEach((listener) -> listener.enqueued(queues, took));
		}
	}

	private List<JobReceipt> published(List<NewJob> jobs, EnqueueResult enqueued) {
		if (logger.isDebugEnabled()) {
			log(jobs, enqueued.receipts());
		}
		if (!enqueued.available().isEmpty()) {
			this.transaction.afterCommit(AfterCommit.wakeUps(this.signals, jobs, enqueued.available()));
		}
		if (!enqueued.predecessors().isEmpty()) {
			this.transaction.afterCommit(() -> this.signals.publishPredecessors(enqueued.predecessors()));
		}
		if (this.events.areWanted(JobEnqueued.class)) {
			this.transaction.afterCommit(AfterCommit.events(this.events, jobs, enqueued.jobs()));
		}
		return enqueued.receipts();
	}

	/**
	 * The log level is DEBUG since the caller's transaction may still roll back.
	 */
	private static void log(List<NewJob> jobs, List<JobReceipt> receipts) {
		for (int index = 0; index < jobs.size(); index++) {
			NewJob job = jobs.get(index);
			JobReceipt receipt = receipts.get(index);
			JobMdc.within(receipt.id(), job.queue(), job.type(),
					() -> JobLogStep.ENQUEUED.line(logger, Level.DEBUG)
						.log("Job[{}, queue={}, type={}] is enqueued: {}", receipt.id(), job.queue(), job.type(),
								receipt.outcome()));
		}
	}

	/**
	 * A batch in the database.
	 */
	private record StoredBatch(UUID id, Outbox outbox) implements Batch {

		@Override
		public List<JobReceipt> add(Collection<?> requestsOrPayloads) {
			List<JobRequest> requests = RequestReader.requests(requestsOrPayloads);
			return requests.isEmpty() ? List.of() : this.outbox.enqueue(requests,
					(jobs) -> this.outbox.store.enqueue(jobs, Origin.of(CurrentJob.id(), this.id)));
		}

		@Override
		public void seal() {
			boolean unused = this.outbox.transaction.call(() -> {
				if (!this.outbox.batches.seal(this.id)) {
					throw unknown();
				}
				this.outbox.transaction.afterCommit(() -> this.outbox.signals.publishPredecessors(List.of(this.id)));
				return true;
			});
		}

		@Override
		public BatchInfo info() {
			BatchDetails details = this.outbox.batches.find(this.id);
			if (details == null) {
				throw unknown();
			}
			return details.info();
		}

		private JobRejectedException unknown() {
			return new JobRejectedException("batch",
					"%s is unknown: its start is not committed, or it finished more than 7 days ago"
						.formatted(this.id));
		}

		@Override
		public String toString() {
			return "Batch[%s]".formatted(this.id);
		}

	}

}
