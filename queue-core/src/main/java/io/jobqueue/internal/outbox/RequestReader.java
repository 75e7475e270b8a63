package io.jobqueue.internal.outbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.OnDuplicate;
import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.Priority;
import io.jobqueue.internal.context.CallerContext;
import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.payload.Headers;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.QueueNames;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.NewJob.JobKeys;
import io.jobqueue.internal.store.NewJob.JobKeys.UniqueKey;
import io.jobqueue.internal.store.NewJob.Predecessors;
import io.jobqueue.internal.store.StorableDuration;
import io.jobqueue.internal.store.StorableTime;

/**
 * Converts requests to jobs, and rejects requests whose options or keys cannot be stored.
 */
public final class RequestReader {

	/**
	 * The maximum length of a key. An index entry of PostgreSQL has at most 2,704 bytes;
	 * a character of a key takes up to 3 bytes, and the entry contains the queue's name
	 * as well.
	 */
	private static final int MAX_KEY_LENGTH = 800;

	private static final int MAX_PREDECESSORS = 1_000;

	private final JobTypes types;

	private final Function<String, @Nullable String> queues;

	private final Function<String, Priority> priorities;

	private final PayloadEncoder encoder;

	private final CallerContext context;

	private final Supplier<UUID> ids;

	private final Clock clock;

	private final @Nullable Duration staleAfter;

	/**
	 * Create a reader.
	 * @param types the names of types
	 * @param queues returns the queue of a type's only handler, {@code null} if there is
	 * none or more than one
	 * @param priorities returns the default priority of a queue
	 * @param encoder encodes payloads
	 * @param context adds MDC entries and thread locals to the headers
	 * @param ids creates the ids of jobs
	 * @param clock the application's clock
	 * @param staleAfter the maximum age of a run-at, {@code null} for no limit
	 */
	public RequestReader(JobTypes types, Function<String, @Nullable String> queues,
			Function<String, Priority> priorities, PayloadEncoder encoder, CallerContext context, Supplier<UUID> ids,
			Clock clock, @Nullable Duration staleAfter) {
		this.types = types;
		this.queues = queues;
		this.priorities = priorities;
		this.encoder = encoder;
		this.context = context;
		this.ids = ids;
		this.clock = clock;
		this.staleAfter = staleAfter;
	}

	/**
	 * Return the requests for several jobs, in their order.
	 * @param requestsOrPayloads the requests and payloads
	 * @return the requests
	 * @throws JobRejectedException if an element is {@code null}; the message names its
	 * index
	 */
	public static List<JobRequest> requests(@Nullable Collection<?> requestsOrPayloads) {
		if (requestsOrPayloads == null) {
			throw missing("requestsOrPayloads");
		}
		List<JobRequest> requests = new ArrayList<>(requestsOrPayloads.size());
		for (Object each : requestsOrPayloads) {
			requests.add(request(() -> "requestsOrPayloads[" + requests.size() + "]", each));
		}
		return List.copyOf(requests);
	}

	/**
	 * Return the argument if it is a request, otherwise a request with the argument as
	 * its payload.
	 * @param property supplies the name of the argument
	 * @param requestOrPayload the argument
	 * @return the request
	 * @throws JobRejectedException if the argument is {@code null}
	 */
	public static JobRequest request(Supplier<String> property, @Nullable Object requestOrPayload) {
		if (requestOrPayload == null) {
			throw missing(property.get());
		}
		return (requestOrPayload instanceof JobRequest request) ? request : JobRequest.of(requestOrPayload);
	}

	private static JobRejectedException missing(String property) {
		return new JobRejectedException(property, "must not be null");
	}

	/**
	 * Return a new id of a job, a batch or an instance of a workflow.
	 * @return the id
	 */
	public UUID newId() {
		return this.ids.get();
	}

	/**
	 * Return the jobs of several requests, in their order.
	 */
	List<NewJob> readAll(List<JobRequest> requests) {
		List<NewJob> jobs = new ArrayList<>(requests.size());
		for (JobRequest request : requests) {
			jobs.add(read(request));
		}
		return jobs;
	}

	/**
	 * Return the job of a request.
	 * @param request the request
	 * @return the job, with a new id
	 * @throws JobRejectedException if it cannot be stored
	 */
	public NewJob read(JobRequest request) {
		return read(request, this.context.addTo(request.headers()));
	}

	/**
	 * Return the job of each tick of a schedule. The trace of the caller is not that of
	 * its ticks.
	 * @param request the request
	 * @return the job
	 * @throws JobRejectedException if it cannot be stored
	 */
	public NewJob readScheduled(JobRequest request) {
		return read(request, Headers.withoutTrace(this.context.addTo(request.headers())));
	}

	private NewJob read(JobRequest request, Map<String, String> allHeaders) {
		checkOptions(request);
		String type = type(request);
		this.encoder.requireEncodable("type", type);
		String queue = queue(request, type);
		String headers = this.encoder.storable(Headers.encode(allHeaders));
		return new NewJob(this.ids.get(), queue, type, this.encoder.encode(request.payload(), headers, queue, type),
				priority(request, queue), runAt(request.runAt()), delay(request.delay()), request.expiresAfter(),
				request.maxAttempts(), request.maxRunTime(), headers, keys(request), predecessors(request));
	}

	/**
	 * Return the job of a request whose payload is encoded already. Its class is not
	 * checked, and the caller's context is not added.
	 * @param request the request
	 * @return the job, with a new id
	 * @throws JobRejectedException if it cannot be stored
	 */
	public NewJob read(EncodedRequest request) {
		JobTypes.check(request.type());
		this.encoder.requireEncodable("type", request.type());
		String text = request.payload().text();
		if (text != null) {
			this.encoder.requireStorable("payload", text);
		}
		request.headers().forEach(this::checkHeader);
		String headers = Headers.encode(request.headers());
		this.encoder.requireSize(request.payload(), headers, request.type());
		JobKeys keys = new JobKeys(request.key(), request.orderingKey(), null, request.group());
		checkKeys(keys);
		return new NewJob(this.ids.get(), request.queue(), request.type(), request.payload(),
				this.priorities.apply(request.queue()).value(), null, Duration.ZERO, null, request.maxAttempts(), null,
				headers, keys, Predecessors.NONE);
	}

	/**
	 * Return the type of a request.
	 * @param request the request
	 * @return the name of its type
	 * @throws JobRejectedException if it has no valid type
	 */
	public String type(JobRequest request) {
		return this.types.name(JobTypes.payloadClass(request.payload()), request.type());
	}

	/**
	 * Check the options of a request, and return the names of its type.
	 * @param request the request
	 * @return the name, followed by those under which older jobs of the type are stored
	 * @throws JobRejectedException if it has no valid type, or an option is invalid
	 */
	public List<String> types(JobRequest request) {
		checkOptions(request);
		List<String> types = new ArrayList<>(List.of(type(request)));
		types.addAll(this.types.aliases(JobTypes.payloadClass(request.payload())));
		types.forEach((type) -> this.encoder.requireEncodable("type", type));
		return types;
	}

	/**
	 * Return the queue of a request: its own, that of the payload's class, that of the
	 * only handler of the type, or the default.
	 * @param request the request
	 * @param type the name of its type
	 * @return the name of its queue
	 * @throws JobRejectedException if the name is invalid
	 */
	public String queue(JobRequest request, String type) {
		String queue = request.queue();
		if (queue == null) {
			queue = JobTypes.queue(JobTypes.payloadClass(request.payload()));
		}
		if (queue == null) {
			queue = this.queues.apply(type);
		}
		if (queue == null) {
			queue = QueueNames.DEFAULT;
		}
		if (!QueueNames.isValid(queue)) {
			throw new JobRejectedException("queue", "is '%s', but must match %s".formatted(queue, QueueNames.RULE));
		}
		return queue;
	}

	private int priority(JobRequest request, String queue) {
		return ((request.priority() != null) ? request.priority() : this.priorities.apply(queue)).value();
	}

	/**
	 * A run-at before 1970 is replaced with the start of 1970, which is due as well,
	 * since the database cannot store all earlier times.
	 */
	private static @Nullable Instant runAt(@Nullable Instant runAt) {
		return (runAt != null && runAt.isBefore(Instant.EPOCH)) ? Instant.EPOCH : runAt;
	}

	private static Duration delay(@Nullable Duration delay) {
		return (delay == null || delay.isNegative()) ? Duration.ZERO : delay;
	}

	private void checkOptions(JobRequest request) {
		Integer maxAttempts = request.maxAttempts();
		check(maxAttempts == null || maxAttempts >= 0, "maxAttempts", "must not be negative; 0 means no limit");
		checkMillis("maxRunTime", request.maxRunTime());
		checkMillis("expiresAfter", request.expiresAfter());
		check(isStorable(request.delay()), "delay", "must not be longer than 100 years");
		if (request.runAt() != null) {
			checkRunAt(request.runAt());
		}
		checkDuplicates(request);
		checkKeys(keys(request));
		checkPredecessors(request);
		for (Map.Entry<String, String> header : request.headers().entrySet()) {
			checkHeader(header.getKey(), header.getValue());
		}
	}

	private static void checkMillis(String property, @Nullable Duration duration) {
		check(duration == null || duration.compareTo(Duration.ofMillis(1)) >= 0, property, "must be at least 1 ms");
		check(isStorable(duration), property, "must not be longer than 100 years");
	}

	private void checkRunAt(Instant runAt) {
		check(!runAt.isAfter(StorableTime.LATEST), "runAt", "is after the year 9999");
		if (this.staleAfter != null && runAt.isBefore(this.clock.instant().minus(this.staleAfter))) {
			throw new JobRejectedException("runAt",
					"is %s, longer ago than the %s that jobqueue.producer.stale-after allows".formatted(runAt,
							DurationText.of(this.staleAfter)));
		}
	}

	private static void checkDuplicates(JobRequest request) {
		boolean unique = request.key() != null;
		check(unique || request.onDuplicate() == OnDuplicate.KEEP, "onDuplicate", "requires a key");
		check(unique || request.dedupeFor() == null, "dedupeFor", "requires a key");
		check(request.onDuplicate() != OnDuplicate.DEBOUNCE || request.delay() != null || request.runAt() != null,
				"onDuplicate", "is DEBOUNCE, which requires a delay or a run-at");
	}

	private static void checkPredecessors(JobRequest request) {
		int size = request.predecessors().size();
		if (size > MAX_PREDECESSORS) {
			throw new JobRejectedException("after",
					"names %s jobs, but at most %s are possible".formatted(size, MAX_PREDECESSORS));
		}
		check(size > 0 || request.onPredecessorFailure() == OnPredecessorFailure.WAIT, "ifPredecessorFails",
				"requires a predecessor: name one with after");
	}

	private void checkHeader(String name, String value) {
		this.encoder.requireStorable("header", name);
		String property = "header " + name;
		check(!name.startsWith(Headers.RESERVED), property,
				"must not begin with " + Headers.RESERVED + ", which is reserved for the queue");
		this.encoder.requireStorable(property, value);
	}

	private static JobKeys keys(JobRequest request) {
		UniqueKey unique = (request.key() != null)
				? new UniqueKey(request.key(), request.onDuplicate(), request.dedupeFor()) : null;
		return new JobKeys(unique, request.orderingKey(), request.limitKey(), request.group());
	}

	private void checkKeys(JobKeys keys) {
		UniqueKey unique = keys.unique();
		if (unique != null) {
			checkName("key", unique.value());
			checkWindow(unique.dedupeFor());
		}
		checkName("orderedBy", keys.ordering());
		checkName("limitedBy", keys.limit());
		checkName("group", keys.group());
	}

	private static Predecessors predecessors(JobRequest request) {
		return request.predecessors().isEmpty() ? Predecessors.NONE
				: new Predecessors(request.predecessors(), request.onPredecessorFailure());
	}

	/**
	 * Return the name of something that is stored.
	 * @param property the property that names it
	 * @param name the name, {@code null} if it is missing
	 * @return the name
	 * @throws JobRejectedException if it cannot be stored
	 */
	public String name(String property, @Nullable String name) {
		if (name == null) {
			throw missing(property);
		}
		checkName(property, name);
		return name;
	}

	private void checkName(String property, @Nullable String name) {
		if (name != null) {
			this.encoder.requireStorable(property, name);
			if (name.isEmpty() || name.length() > MAX_KEY_LENGTH) {
				throw new JobRejectedException(property,
						"must have 1 to %s characters, but has %s".formatted(MAX_KEY_LENGTH, name.length()));
			}
		}
	}

	private static void checkWindow(@Nullable Duration dedupeFor) {
		check(dedupeFor == null || !dedupeFor.isNegative(), "dedupeFor", "must not be negative");
		check(isStorable(dedupeFor), "dedupeFor", "must not be longer than 100 years");
	}

	private static boolean isStorable(@Nullable Duration duration) {
		return duration == null || StorableDuration.isStorable(duration);
	}

	/**
	 * The reason is a constant: callers format one with values only where they refuse a
	 * request.
	 */
	private static void check(boolean condition, String property, String reason) {
		if (!condition) {
			throw new JobRejectedException(property, reason);
		}
	}

}
