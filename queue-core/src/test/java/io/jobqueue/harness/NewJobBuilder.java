package io.jobqueue.harness;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.OnDuplicate;
import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.NewJob.JobKeys;
import io.jobqueue.internal.store.NewJob.JobKeys.UniqueKey;
import io.jobqueue.internal.store.NewJob.Predecessors;

/**
 * Builds jobs to be inserted: one that is due at once in queue {@code emails}, without
 * keys and options of its own.
 */
public final class NewJobBuilder {

	private UUID id = UUID.randomUUID();

	private String queue = "emails";

	private String type = "mail";

	private Encoded payload = Encoded.ofText("{}");

	private int priority = 10;

	private @Nullable Instant runAt;

	private Duration delay = Duration.ZERO;

	private @Nullable Duration expiresAfter;

	private @Nullable Integer maxAttempts;

	private @Nullable Duration maxRunTime;

	private @Nullable String headers;

	private JobKeys keys = JobKeys.NONE;

	private Predecessors predecessors = Predecessors.NONE;

	public NewJobBuilder id(UUID id) {
		this.id = id;
		return this;
	}

	public NewJobBuilder queue(String queue) {
		this.queue = queue;
		return this;
	}

	public NewJobBuilder type(String type) {
		this.type = type;
		return this;
	}

	public NewJobBuilder payload(String payload) {
		return payload(Encoded.ofText(payload));
	}

	public NewJobBuilder payload(Encoded payload) {
		this.payload = payload;
		return this;
	}

	public NewJobBuilder priority(int priority) {
		this.priority = priority;
		return this;
	}

	public NewJobBuilder runAt(@Nullable Instant runAt) {
		this.runAt = runAt;
		return this;
	}

	public NewJobBuilder delay(Duration delay) {
		this.delay = delay;
		return this;
	}

	public NewJobBuilder expiresAfter(@Nullable Duration expiresAfter) {
		this.expiresAfter = expiresAfter;
		return this;
	}

	public NewJobBuilder maxAttempts(@Nullable Integer maxAttempts) {
		this.maxAttempts = maxAttempts;
		return this;
	}

	public NewJobBuilder maxRunTime(@Nullable Duration maxRunTime) {
		this.maxRunTime = maxRunTime;
		return this;
	}

	public NewJobBuilder headers(@Nullable String headers) {
		this.headers = headers;
		return this;
	}

	public NewJobBuilder keys(JobKeys keys) {
		this.keys = keys;
		return this;
	}

	public NewJobBuilder key(String key, OnDuplicate onDuplicate, @Nullable Duration dedupeFor) {
		UniqueKey unique = new UniqueKey(key, onDuplicate, dedupeFor);
		return keys(new JobKeys(unique, this.keys.ordering(), this.keys.limit(), this.keys.group()));
	}

	public NewJobBuilder orderedBy(@Nullable String key) {
		return keys(new JobKeys(this.keys.unique(), key, this.keys.limit(), this.keys.group()));
	}

	public NewJobBuilder limitedBy(@Nullable String key) {
		return keys(new JobKeys(this.keys.unique(), this.keys.ordering(), key, this.keys.group()));
	}

	public NewJobBuilder group(String group) {
		return keys(new JobKeys(this.keys.unique(), this.keys.ordering(), this.keys.limit(), group));
	}

	public NewJobBuilder after(OnPredecessorFailure policy, UUID... predecessors) {
		return after(new Predecessors(new LinkedHashSet<>(Arrays.asList(predecessors)), policy));
	}

	public NewJobBuilder after(Predecessors predecessors) {
		this.predecessors = predecessors;
		return this;
	}

	public NewJob build() {
		return new NewJob(this.id, this.queue, this.type, this.payload, this.priority, this.runAt, this.delay,
				this.expiresAfter, this.maxAttempts, this.maxRunTime, this.headers, this.keys, this.predecessors);
	}

}
