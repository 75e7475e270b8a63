package io.jobqueue.test;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.assertj.core.api.AssertProvider;
import tools.jackson.databind.json.JsonMapper;

import io.jobqueue.Batch;
import io.jobqueue.BatchInfo;
import io.jobqueue.JobJsonMapperCustomizer;
import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.PayloadCodec;
import io.jobqueue.Priority;
import io.jobqueue.internal.context.CallerContext;
import io.jobqueue.internal.outbox.BatchBuilder;
import io.jobqueue.internal.outbox.JobIds;
import io.jobqueue.internal.outbox.PayloadEncoder;
import io.jobqueue.internal.outbox.RequestReader;
import io.jobqueue.internal.payload.JacksonPayloadCodec;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.PayloadCodecs;
import io.jobqueue.internal.payload.PayloadMapper;
import io.jobqueue.internal.store.DatabaseEncoding;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.topic.TopicFanOut;

/**
 * A {@link JobQueue} without a database, for unit tests and for slices without the job
 * queue. It reads and refuses requests as the job queue does with default settings and
 * without beans of the application, keeps the jobs in memory and returns
 * {@link io.jobqueue.JobReceipt.Outcome#ADDED} for each request.
 * <p>
 * Payloads are JSON with Jackson's annotations and the modules of the class path. Modules
 * that are beans, mix-ins and other changes of the application are unknown: pass a
 * {@link JobJsonMapperCustomizer} that adds them to the constructor.
 * <p>
 * It supports no transactions (a job stays after a rollback), no unique keys, no
 * interceptors, no validation of payloads and no handlers (a payload whose class names no
 * queue goes to the queue {@code default}).
 */
public final class RecordingJobQueue implements JobQueue, AssertProvider<EnqueuedJobsAssert> {

	private static final long MAX_PAYLOAD = 1024 * 1024;

	private final JobTypes types = new JobTypes();

	private final PayloadCodec codec;

	private final RequestReader reader;

	private final List<NewJob> jobs = new ArrayList<>();

	private final Map<UUID, JobRequest> requests = new LinkedHashMap<>();

	private final Map<UUID, RecordedBatch> batches = new HashMap<>();

	private final Map<String, List<JobRequest>> publications = new HashMap<>();

	/**
	 * Create a queue without jobs, which writes payloads with the job queue's own mapper,
	 * without beans of the application.
	 * @param customizers the application's changes to that mapper; one of them can add
	 * the modules and mix-ins that are beans
	 */
	public RecordingJobQueue(JobJsonMapperCustomizer... customizers) {
		JsonMapper.Builder mapper = PayloadMapper.builder();
		List.of(customizers).forEach((customizer) -> customizer.customize(mapper));
		this.codec = new JacksonPayloadCodec(mapper.build());
		this.reader = new RequestReader(this.types, (type) -> null, (queue) -> Priority.USER_VISIBLE,
				new PayloadEncoder(new PayloadCodecs(this.codec), null, MAX_PAYLOAD, DatabaseEncoding.UNICODE),
				new CallerContext(Set.of(), Set.of()), new JobIds(Clock.systemUTC()), Clock.systemUTC(), null);
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
		return enqueueAll(List.of(request)).get(0);
	}

	/**
	 * Record several jobs, or none of them.
	 * @throws JobRejectedException if one of them cannot be stored
	 */
	@Override
	public synchronized List<JobReceipt> enqueueAll(Collection<?> requestsOrPayloads) {
		List<JobRequest> added = RequestReader.requests(requestsOrPayloads);
		List<NewJob> read = added.stream().map(this.reader::read).toList();
		record(added, read);
		return read.stream().map((job) -> new JobReceipt(job.id(), JobReceipt.Outcome.ADDED)).toList();
	}

	/**
	 * Record a publication. There are no subscriptions: it adds no job.
	 * @return an empty list
	 * @throws JobRejectedException if it cannot be published, or its payload cannot be
	 * stored
	 */
	@Override
	public synchronized List<JobReceipt> publish(String topic, Object payloadOrRequest) {
		JobRequest request = RequestReader.requests(Collections.singletonList(payloadOrRequest)).get(0);
		TopicFanOut.check(topic, request);
		NewJob unused = this.reader.read(request);
		this.publications.computeIfAbsent(topic, (absent) -> new ArrayList<>()).add(request);
		return List.of();
	}

	private void record(List<JobRequest> added, List<NewJob> read) {
		this.jobs.addAll(read);
		for (int index = 0; index < added.size(); index++) {
			this.requests.put(read.get(index).id(), added.get(index));
		}
	}

	/**
	 * Define a batch whose callbacks are recorded at its start. They are not called.
	 */
	@Override
	public Batch.Builder batch(String name) {
		return new BatchBuilder(this.reader, name, (unused, callbacks) -> start(callbacks));
	}

	private synchronized Batch start(List<JobRequest> callbacks) {
		List<NewJob> read = callbacks.stream().map(this.reader::read).toList();
		BatchBuilder.check(callbacks.size(), read);
		record(callbacks, read);
		return batch(UUID.randomUUID());
	}

	/**
	 * Return a batch that accepts members, even if this queue has not started it.
	 */
	@Override
	public synchronized Batch batch(UUID id) {
		return this.batches.computeIfAbsent(id, RecordedBatch::new);
	}

	/**
	 * Return the requests so far, in their order.
	 * @return a copy
	 */
	public synchronized List<JobRequest> requests() {
		return List.copyOf(this.requests.values());
	}

	/**
	 * Return the requests so far by the ids of their jobs, in their order, for
	 * comparisons with the ids that {@link JobRequest#after} names.
	 * @return a copy
	 */
	public synchronized Map<UUID, JobRequest> requestsById() {
		return Collections.unmodifiableMap(new LinkedHashMap<>(this.requests));
	}

	/**
	 * Return the requests that were published to a topic so far, in their order. A
	 * payload that was published without a request is the payload of one.
	 * @param topic the topic
	 * @return a copy
	 */
	public synchronized List<JobRequest> published(String topic) {
		return List.copyOf(this.publications.getOrDefault(topic, List.of()));
	}

	/**
	 * Remove all jobs, batches and publications.
	 */
	public synchronized void clear() {
		this.publications.clear();
		this.batches.clear();
		this.requests.clear();
		this.jobs.clear();
	}

	/**
	 * Begin assertions on the jobs so far. AssertJ's {@code assertThat(queue)} calls
	 * this.
	 * @return the assertion
	 */
	@Override
	public EnqueuedJobsAssert assertThat() {
		return new EnqueuedJobsAssert(enqueued(), (payload) -> this.types.name(payload, null));
	}

	synchronized List<EnqueuedJob> enqueued() {
		return this.jobs.stream().map(this::enqueued).toList();
	}

	private EnqueuedJob enqueued(NewJob job) {
		Duration delay = (job.runAt() != null) ? null : job.delay();
		return EnqueuedJob.of(job.queue(), job.type(), job.payload(), this.codec, delay, null);
	}

	/**
	 * A batch whose members are recorded like other jobs. None of them ends.
	 */
	private final class RecordedBatch implements Batch {

		private final UUID id;

		private long total;

		private boolean sealed;

		private RecordedBatch(UUID id) {
			this.id = id;
		}

		@Override
		public UUID id() {
			return this.id;
		}

		@Override
		public List<JobReceipt> add(Collection<?> requestsOrPayloads) {
			synchronized (RecordingJobQueue.this) {
				if (this.sealed && !RequestReader.requests(requestsOrPayloads).isEmpty()) {
					throw new JobRejectedException("batch", this.id + " is sealed: add members before the seal");
				}
				List<JobReceipt> receipts = enqueueAll(requestsOrPayloads);
				this.total += receipts.size();
				return receipts;
			}
		}

		@Override
		public void seal() {
			synchronized (RecordingJobQueue.this) {
				this.sealed = true;
			}
		}

		@Override
		public BatchInfo info() {
			synchronized (RecordingJobQueue.this) {
				return new BatchInfo(this.total, 0, 0, 0);
			}
		}

	}

}
