package io.jobqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * What a request asks for.
 */
abstract class RequestedJob {

	final Object payload;

	@Nullable String queue;

	@Nullable String type;

	@Nullable Priority priority;

	@Nullable Duration delay;

	@Nullable Instant runAt;

	@Nullable Duration expiresAfter;

	@Nullable Integer maxAttempts;

	@Nullable Duration maxRunTime;

	@Nullable String key;

	OnDuplicate onDuplicate = OnDuplicate.KEEP;

	@Nullable Duration dedupeFor;

	@Nullable String orderingKey;

	@Nullable String limitKey;

	@Nullable String group;

	Set<UUID> predecessors = Set.of();

	OnPredecessorFailure onPredecessorFailure = OnPredecessorFailure.WAIT;

	Map<String, String> headers = Map.of();

	RequestedJob(Object payload) {
		this.payload = required("payload", payload);
	}

	RequestedJob(RequestedJob other) {
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
	 * Return how long after its run-at the job expires unless it has begun.
	 * @return the time, or {@code null} if it does not expire
	 */
	public @Nullable Duration expiresAfter() {
		return this.expiresAfter;
	}

	/**
	 * Return the requested number of attempts.
	 * @return the number, 0 for no limit, or {@code null} for the queue's
	 */
	public @Nullable Integer maxAttempts() {
		return this.maxAttempts;
	}

	/**
	 * Return how long an attempt may run.
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
	 * Return what becomes of the request where its key is taken.
	 * @return what to do
	 */
	public OnDuplicate onDuplicate() {
		return this.onDuplicate;
	}

	/**
	 * Return how long the key stays taken after a success.
	 * @return the time, or {@code null} for not at all
	 */
	public @Nullable Duration dedupeFor() {
		return this.dedupeFor;
	}

	/**
	 * Return the key whose jobs run one at a time, in order.
	 * @return the key, or {@code null} for none
	 */
	public @Nullable String orderingKey() {
		return this.orderingKey;
	}

	/**
	 * Return the key whose slots the job shares.
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
	 * Return what the job does if one of them fails.
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
	 * Return whether another request asks for the same job: the payloads are equal by
	 * their own {@code equals}, and so are all options.
	 * @param other the other request
	 * @return whether it asks for the same
	 */
	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof RequestedJob that && this.payload.equals(that.payload)
				&& this.headers.equals(that.headers) && options().equals(that.options());
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.payload, this.headers, options());
	}

	/**
	 * Return what is requested, in the words of {@link JobRequest}: the payload's class
	 * and the options that are set. Neither the payload's contents nor the values of
	 * headers are in it.
	 * @return a text for people
	 */
	@Override
	public String toString() {
		return options().entrySet()
			.stream()
			.filter((option) -> option.getValue() != null)
			.map((option) -> option.getKey() + "=" + shown(option.getValue()))
			.collect(Collectors.joining(", ", "JobRequest[", "]"));
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
