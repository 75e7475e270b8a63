package io.jobqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.lang.CheckReturnValue;

/**
 * A payload and the options of its job. Immutable: each option returns a copy.
 *
 * <pre class="code">
 * JobRequest.of(new ConfirmationEmail(userId))
 *     .priority(Priority.INTERACTIVE)
 *     .delay(Duration.ofMinutes(5))</pre>
 *
 * <p>
 * An option that is set is stored with the job. An option that is not set follows the
 * settings of the node that claims the job, except the priority, which is resolved when
 * the job is enqueued.
 * <p>
 * A required value that is {@code null} is refused with a {@link JobRejectedException};
 * all other values are checked when the request is enqueued. Two requests are equal if
 * their payloads and all their options are.
 */
@CheckReturnValue
public final class JobRequest {

	private final Object payload;

	private @Nullable String queue;

	private @Nullable String type;

	private @Nullable Priority priority;

	private @Nullable Duration delay;

	private @Nullable Instant runAt;

	private @Nullable Duration expiresAfter;

	private @Nullable Integer maxAttempts;

	private @Nullable Duration maxRunTime;

	private @Nullable String key;

	private OnDuplicate onDuplicate = OnDuplicate.KEEP;

	private @Nullable Duration dedupeFor;

	private @Nullable String orderingKey;

	private @Nullable String limitKey;

	private @Nullable String group;

	private Set<UUID> predecessors = Set.of();

	private OnPredecessorFailure onPredecessorFailure = OnPredecessorFailure.WAIT;

	private Map<String, String> headers = Map.of();

	private JobRequest(Object payload) {
		this.payload = required("payload", payload);
	}

	private JobRequest(JobRequest other) {
		this.payload = other.payload;
		this.queue = other.queue;
		this.type = other.type;
		this.priority = other.priority;
		this.delay = other.delay;
		this.runAt = other.runAt;
		this.expiresAfter = other.expiresAfter;
		this.maxAttempts = other.maxAttempts;
		this.maxRunTime = other.maxRunTime;
		this.key = other.key;
		this.onDuplicate = other.onDuplicate;
		this.dedupeFor = other.dedupeFor;
		this.orderingKey = other.orderingKey;
		this.limitKey = other.limitKey;
		this.group = other.group;
		this.predecessors = other.predecessors;
		this.onPredecessorFailure = other.onPredecessorFailure;
		this.headers = other.headers;
	}

	/**
	 * Request a job for the payload, in the queue of its type.
	 * @param payload the payload
	 * @return the request
	 */
	public static JobRequest of(Object payload) {
		return new JobRequest(payload);
	}

	/**
	 * Request a job for the payload in the given queue.
	 * @param queue the queue's name, {@code [a-z0-9][a-z0-9_-]{0,99}}
	 * @param payload the payload
	 * @return the request
	 */
	public static JobRequest of(String queue, Object payload) {
		JobRequest request = new JobRequest(payload);
		request.queue = required("queue", queue);
		return request;
	}

	/**
	 * Set the queue. Default: the queue of the type.
	 * @param queue the queue's name, {@code [a-z0-9][a-z0-9_-]{0,99}}
	 * @return a copy for that queue
	 */
	public JobRequest queue(String queue) {
		return with((copy) -> copy.queue = required("queue", queue));
	}

	/**
	 * Set the priority. Default: {@code priority} of the queue's settings.
	 * @param priority the priority
	 * @return a copy with that priority
	 */
	public JobRequest priority(Priority priority) {
		return with((copy) -> copy.priority = priority);
	}

	/**
	 * Delay the first attempt, from now by the database's clock. A negative delay counts
	 * as zero; a run-at overrides a delay.
	 * @param delay the delay
	 * @return a copy with that delay
	 */
	public JobRequest delay(Duration delay) {
		return with((copy) -> copy.delay = delay);
	}

	/**
	 * Set the time at which the job is due, by the database's clock. A past time becomes
	 * now; one that is older than {@code jobqueue.producer.stale-after}, if that is set,
	 * is refused.
	 * @param runAt the time
	 * @return a copy with that run-at
	 */
	public JobRequest runAt(Instant runAt) {
		return with((copy) -> copy.runAt = runAt);
	}

	/**
	 * End the job as {@link JobState#CANCELLED} unless a worker claims it in time. It
	 * expires the given time after its run-at, or after now if that is later, by the
	 * database's clock. From then on no worker claims it, even if it was
	 * {@link JobState#BLOCKED} until then; the reaper ends it within {@code
	 * jobqueue.reaper.interval}, with the reason as its error, and jobs that wait for it
	 * continue as after any cancellation. Default: it does not expire.
	 * <p>
	 * A claimed job no longer expires, whatever its outcome, even if it still waits for a
	 * handler on that node. It can still expire if the worker releases it before its
	 * handler has begun (no handler is free, or the worker stops), if a
	 * {@linkplain PulledJob#close() pulled} job is released, and if the database server
	 * crashes right after the claim. A request that updates a waiting job by its
	 * {@link #key} replaces its expiry, also by none. {@link JobOperations#retry} and
	 * {@link JobOperations#replay} remove the expiry;
	 * {@link JobOperations#reschedule(UUID, Instant) reschedule} moves it by the same
	 * amount as the run-at.
	 * @param time the time, at least one millisecond
	 * @return a copy that expires
	 */
	public JobRequest expiresAfter(Duration time) {
		return with((copy) -> copy.expiresAfter = time);
	}

	/**
	 * Set a key that no other live job of the queue has. If another job has it,
	 * {@link #onDuplicate} decides, and the receipt says what was done. Of two
	 * transactions that use the same key at the same time, the second waits until the
	 * first has ended.
	 * @param key the key
	 * @return a copy with that key
	 */
	public JobRequest key(String key) {
		return with((copy) -> copy.key = required("key", key));
	}

	/**
	 * Set what happens to the request if its key is taken. Default:
	 * {@link OnDuplicate#KEEP}.
	 * @param onDuplicate the policy
	 * @return a copy with that policy
	 */
	public JobRequest onDuplicate(OnDuplicate onDuplicate) {
		return with((copy) -> copy.onDuplicate = required("onDuplicate", onDuplicate));
	}

	/**
	 * Keep the key taken after the job has succeeded, regardless of the retention of the
	 * archive. Default: it is free at once.
	 * @param window the time from the success, by the database's clock
	 * @return a copy with that window
	 */
	public JobRequest dedupeFor(Duration window) {
		return with((copy) -> copy.dedupeFor = window);
	}

	/**
	 * Run the jobs of the queue with the same ordering key one at a time, over all nodes,
	 * in the order in which they were enqueued. A job that waits for its next attempt
	 * holds back its own key only; {@code dead-head} of the queue's settings decides the
	 * effect of a dead job. The order is that of the database's sequence among the jobs
	 * that are committed when the next job of the key is chosen: a job that is committed
	 * late does not overtake one that has begun.
	 * @param key the ordering key
	 * @return a copy with that ordering key
	 */
	public JobRequest orderedBy(String key) {
		return with((copy) -> copy.orderingKey = required("orderedBy", key));
	}

	/**
	 * Limit the number of jobs of the queue with the same limit key that run at a time,
	 * over all nodes, to {@code concurrency-per-key} of the queue's settings. If that is
	 * not set, the key has no effect.
	 * @param key the limit key
	 * @return a copy with that limit key
	 */
	public JobRequest limitedBy(String key) {
		return with((copy) -> copy.limitKey = required("limitedBy", key));
	}

	/**
	 * Add the job to a group, which may span queues, see
	 * {@link JobOperations#groupProgress(String)}.
	 * @param group the group's name
	 * @return a copy in that group
	 */
	public JobRequest group(String group) {
		return with((copy) -> copy.group = required("group", group));
	}

	/**
	 * Let the job wait for other jobs, in addition to those of an earlier call: it is
	 * {@link JobState#BLOCKED} until all of them have succeeded. Its own delay or run-at
	 * still applies. The predecessors may be in any queue, live or archived, and enqueued
	 * in the same transaction. An id that is neither live nor archived is refused when
	 * the job is enqueued.
	 * <p>
	 * The predecessors are fixed when the job is added. A request that updates a waiting
	 * job by its {@link #key} does not change that job's predecessors; a request that
	 * adds a follow-up sets those of the follow-up.
	 * @param jobs the ids of the jobs, at most 1,000 in all
	 * @return a copy with these predecessors
	 */
	public JobRequest after(UUID... jobs) {
		return after(Arrays.asList(required("after", jobs)));
	}

	/**
	 * Let the job wait for other jobs, like {@link #after(UUID...)}.
	 * @param jobs the ids of the jobs
	 * @return a copy with these predecessors
	 */
	public JobRequest after(Collection<UUID> jobs) {
		Set<UUID> all = new LinkedHashSet<>(this.predecessors);
		required("after", jobs).forEach((job) -> all.add(required("after", job)));
		return with((copy) -> copy.predecessors = Collections.unmodifiableSet(all));
	}

	/**
	 * Set what the job does if one of its {@link #after predecessors} is dead, cancelled
	 * or deleted. Default: {@link OnPredecessorFailure#WAIT}.
	 * @param policy the policy
	 * @return a copy with that policy
	 */
	public JobRequest ifPredecessorFails(OnPredecessorFailure policy) {
		return with((copy) -> copy.onPredecessorFailure = required("ifPredecessorFails", policy));
	}

	/**
	 * Set the maximum number of attempts; n retries are n + 1 attempts. Default: {@code
	 * max-attempts} of the queue's settings.
	 * @param maxAttempts the number, 0 for no limit
	 * @return a copy with that limit
	 */
	public JobRequest maxAttempts(int maxAttempts) {
		return with((copy) -> copy.maxAttempts = maxAttempts);
	}

	/**
	 * Set the maximum run time of an attempt. After it the attempt has failed, and
	 * another worker may claim the job. Default: {@code max-run-time} of the queue's
	 * settings.
	 * @param maxRunTime the time, at least one millisecond
	 * @return a copy with that limit
	 */
	public JobRequest maxRunTime(Duration maxRunTime) {
		return with((copy) -> copy.maxRunTime = maxRunTime);
	}

	/**
	 * Set the type of a payload without a class of its own ({@code Map}, {@code
	 * JsonNode}, {@code String}). The type of any other payload is that of its class.
	 * @param type the name of the type
	 * @return a copy with that type
	 */
	public JobRequest type(String type) {
		return with((copy) -> copy.type = type);
	}

	/**
	 * Add a header, which the handler finds in {@link JobContext#headers()}.
	 * @param name the name of the header; names that begin with {@code jobqueue.} are
	 * reserved
	 * @param value the value of the header
	 * @return a copy with that header
	 */
	public JobRequest header(String name, String value) {
		Map<String, String> extended = new LinkedHashMap<>(this.headers);
		extended.put(required("header", name), required("header " + name, value));
		return with((copy) -> copy.headers = Map.copyOf(extended));
	}

	/**
	 * Return the payload.
	 * @return the payload
	 */
	public Object payload() {
		return this.payload;
	}

	/**
	 * Return the requested queue.
	 * @return the queue's name, or {@code null} for the queue of the type
	 */
	public @Nullable String queue() {
		return this.queue;
	}

	/**
	 * Return the requested type.
	 * @return the name of the type, or {@code null} for that of the payload's class
	 */
	public @Nullable String type() {
		return this.type;
	}

	/**
	 * Return the requested priority.
	 * @return the priority, or {@code null} for the queue's
	 */
	public @Nullable Priority priority() {
		return this.priority;
	}

	/**
	 * Return the requested delay.
	 * @return the delay, or {@code null} for none
	 */
	public @Nullable Duration delay() {
		return this.delay;
	}

	/**
	 * Return the requested run-at.
	 * @return the time, or {@code null} for none
	 */
	public @Nullable Instant runAt() {
		return this.runAt;
	}

	/**
	 * Return how long after its run-at the job expires if no worker has claimed it.
	 * @return the time, or {@code null} if it does not expire
	 */
	public @Nullable Duration expiresAfter() {
		return this.expiresAfter;
	}

	/**
	 * Return the requested maximum number of attempts.
	 * @return the number, 0 for no limit, or {@code null} for the queue's
	 */
	public @Nullable Integer maxAttempts() {
		return this.maxAttempts;
	}

	/**
	 * Return the requested maximum run time of an attempt.
	 * @return the time, or {@code null} for the queue's
	 */
	public @Nullable Duration maxRunTime() {
		return this.maxRunTime;
	}

	/**
	 * Return the key.
	 * @return the key, or {@code null} for none
	 */
	public @Nullable String key() {
		return this.key;
	}

	/**
	 * Return what happens to the request if its key is taken.
	 * @return the policy
	 */
	public OnDuplicate onDuplicate() {
		return this.onDuplicate;
	}

	/**
	 * Return how long the key stays taken after a success.
	 * @return the time, or {@code null} for none
	 */
	public @Nullable Duration dedupeFor() {
		return this.dedupeFor;
	}

	/**
	 * Return the ordering key, whose jobs run one at a time, in order.
	 * @return the key, or {@code null} for none
	 */
	public @Nullable String orderingKey() {
		return this.orderingKey;
	}

	/**
	 * Return the limit key, whose jobs share a limit.
	 * @return the key, or {@code null} for none
	 */
	public @Nullable String limitKey() {
		return this.limitKey;
	}

	/**
	 * Return the group.
	 * @return the group's name, or {@code null} for none
	 */
	public @Nullable String group() {
		return this.group;
	}

	/**
	 * Return the jobs that the job waits for.
	 * @return their ids, unmodifiable
	 */
	public Set<UUID> predecessors() {
		return this.predecessors;
	}

	/**
	 * Return what the job does if one of its predecessors fails.
	 * @return the policy
	 */
	public OnPredecessorFailure onPredecessorFailure() {
		return this.onPredecessorFailure;
	}

	/**
	 * Return the headers.
	 * @return an unmodifiable map
	 */
	public Map<String, String> headers() {
		return this.headers;
	}

	/**
	 * Compare the payloads, by their own {@code equals}, and all options.
	 * @param other the other request
	 * @return {@code true} if the other one requests the same job
	 */
	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof JobRequest that && this.payload.equals(that.payload)
				&& this.headers.equals(that.headers) && options().equals(that.options());
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.payload, this.headers, options());
	}

	/**
	 * Return a text for logs: the payload's class and the options that are set, without
	 * the payload and the values of headers.
	 * @return the text
	 */
	@Override
	public String toString() {
		return options().entrySet()
			.stream()
			.filter((option) -> option.getValue() != null)
			.map((option) -> option.getKey() + "=" + shown(option.getValue()))
			.collect(Collectors.joining(", ", "JobRequest[", "]"));
	}

	private JobRequest with(Consumer<JobRequest> change) {
		JobRequest copy = new JobRequest(this);
		change.accept(copy);
		return copy;
	}

	private static Object shown(Object value) {
		return (value instanceof Duration duration) ? TimeText.of(duration) : value;
	}

	private Map<String, @Nullable Object> options() {
		Map<String, @Nullable Object> options = new LinkedHashMap<>();
		options.put("payload", this.payload.getClass().getName());
		options.put("queue", this.queue);
		options.put("type", this.type);
		options.put("priority", this.priority);
		options.put("delay", this.delay);
		options.put("runAt", this.runAt);
		options.put("expiresAfter", this.expiresAfter);
		options.put("key", this.key);
		options.put("onDuplicate", (this.onDuplicate != OnDuplicate.KEEP) ? this.onDuplicate : null);
		options.put("dedupeFor", this.dedupeFor);
		options.put("orderedBy", this.orderingKey);
		options.put("limitedBy", this.limitKey);
		options.put("group", this.group);
		options.put("after", this.predecessors.isEmpty() ? null : this.predecessors);
		options.put("ifPredecessorFails",
				(this.onPredecessorFailure != OnPredecessorFailure.WAIT) ? this.onPredecessorFailure : null);
		options.put("maxAttempts", this.maxAttempts);
		options.put("maxRunTime", this.maxRunTime);
		options.put("headers", this.headers.isEmpty() ? null : this.headers.keySet());
		return options;
	}

	static <T> T required(String property, @Nullable T value) {
		if (value == null) {
			throw new JobRejectedException(property, "must not be null");
		}
		return value;
	}

}
