package io.jobqueue.outbox;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.context.CallerContext;
import io.jobqueue.payload.Headers;
import io.jobqueue.payload.InvalidTypeException;
import io.jobqueue.payload.JobTypes;
import io.jobqueue.payload.QueueNames;
import io.jobqueue.store.NewJob;

/**
 * Turns requests into jobs that can be stored, or refuses them.
 */
public final class RequestReader {

	private static final Duration MAX_DURATION = Duration.ofDays(36_500);

	private final JobTypes types;

	private final Routes routes;

	private final PayloadEncoder encoder;

	private final CallerContext context;

	private final RunAtLimits runAtLimits;

	private final Supplier<UUID> ids;

	/**
	 * Create a reader.
	 * @param types the known types
	 * @param routes where jobs go
	 * @param encoder what encodes payloads
	 * @param context what jobs take along
	 * @param runAtLimits what run-ats are accepted
	 * @param ids where ids come from
	 */
	public RequestReader(JobTypes types, Routes routes, PayloadEncoder encoder, CallerContext context,
			RunAtLimits runAtLimits, Supplier<UUID> ids) {
		this.types = types;
		this.routes = routes;
		this.encoder = encoder;
		this.context = context;
		this.runAtLimits = runAtLimits;
		this.ids = ids;
	}

	NewJob read(JobRequest request) {
		checkOptions(request);
		String type = type(request);
		String queue = queue(request, type);
		String headers = Headers.encode(this.context.addTo(request.headers()));
		return new NewJob(this.ids.get(), queue, type, this.encoder.encode(request.payload(), headers, queue, type),
				priority(request, queue), this.runAtLimits.checked(request.runAt()), delay(request.delay()),
				request.maxAttempts(), request.maxRunTime(), headers, RequestedKeys.of(request));
	}

	/**
	 * Return what a request asks for.
	 * @param request the request
	 * @return the name of its type
	 * @throws JobRejectedException if it has none
	 */
	public String type(JobRequest request) {
		try {
			return this.types.name(request.payload().getClass(), request.type());
		}
		catch (InvalidTypeException ex) {
			throw new JobRejectedException("type", ex.reason(), ex);
		}
	}

	/**
	 * Return where a request leads.
	 * @param request the request
	 * @param type the name of its type
	 * @return the name of its queue
	 * @throws JobRejectedException if that is no name
	 */
	public String queue(JobRequest request, String type) {
		String queue = request.queue();
		if (queue == null) {
			queue = JobTypes.queue(request.payload().getClass());
		}
		if (queue == null) {
			queue = this.routes.queueOfOnlyHandler(type);
		}
		if (queue == null) {
			queue = QueueNames.DEFAULT;
		}
		if (!QueueNames.isValid(queue)) {
			throw new JobRejectedException("queue", "is '%s', but must match %s".formatted(queue, QueueNames.PATTERN));
		}
		return queue;
	}

	private int priority(JobRequest request, String queue) {
		return ((request.priority() != null) ? request.priority() : this.routes.defaultPriority(queue)).value();
	}

	private static Duration delay(@Nullable Duration delay) {
		return (delay == null || delay.isNegative()) ? Duration.ZERO : delay;
	}

	private static void checkOptions(JobRequest request) {
		Integer maxAttempts = request.maxAttempts();
		check(maxAttempts == null || maxAttempts >= 0, "maxAttempts", "must not be negative; 0 means no limit");
		Duration maxRunTime = request.maxRunTime();
		check(maxRunTime == null || maxRunTime.compareTo(Duration.ofMillis(1)) >= 0, "maxRunTime",
				"must be at least 1 ms");
		check(isStorable(maxRunTime), "maxRunTime", "must not be longer than 100 years");
		check(isStorable(request.delay()), "delay", "must not be longer than 100 years");
		request.headers().forEach((name, value) -> {
			StoredText.check("header", name);
			check(!name.startsWith(Headers.RESERVED), "header " + name,
					"must not begin with %s, which is reserved for the queue".formatted(Headers.RESERVED));
			StoredText.check("header " + name, value);
		});
	}

	static boolean isStorable(@Nullable Duration duration) {
		return duration == null || duration.compareTo(MAX_DURATION) <= 0;
	}

	private static void check(boolean condition, String property, String reason) {
		if (!condition) {
			throw new JobRejectedException(property, reason);
		}
	}

}
