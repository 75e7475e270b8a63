package io.jobqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

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

	@Nullable Integer maxAttempts;

	@Nullable Duration maxRunTime;

	@Nullable String key;

	OnDuplicate onDuplicate = OnDuplicate.KEEP;

	@Nullable Duration dedupeFor;

	@Nullable String orderingKey;

	@Nullable String limitKey;

	@Nullable String group;

	Map<String, String> headers = Map.of();

	RequestedJob(Object payload) {
		this.payload = Objects.requireNonNull(payload, "'payload' must not be null");
	}

	RequestedJob(RequestedJob other) {
		this.payload = other.payload;
		this.queue = other.queue;
		this.type = other.type;
		this.priority = other.priority;
		this.delay = other.delay;
		this.runAt = other.runAt;
		this.maxAttempts = other.maxAttempts;
		this.maxRunTime = other.maxRunTime;
		this.key = other.key;
		this.onDuplicate = other.onDuplicate;
		this.dedupeFor = other.dedupeFor;
		this.orderingKey = other.orderingKey;
		this.limitKey = other.limitKey;
		this.group = other.group;
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
	 * Return the headers.
	 * @return an unmodifiable map
	 */
	public Map<String, String> headers() {
		return this.headers;
	}

}
