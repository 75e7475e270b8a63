package io.jobqueue.harness;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.internal.store.ClaimedJob;

/**
 * Builds claimed jobs: the first attempt of one in queue {@code emails}, without keys.
 */
public final class ClaimedJobBuilder {

	private UUID id = UUID.randomUUID();

	private String queue = "emails";

	private Encoded payload = Encoded.ofText("{}");

	private int priority = 10;

	private Instant runAt = Instant.EPOCH;

	private long seq = 1;

	private int attempt = 1;

	private int expectedFailures;

	private int maxAttempts = 25;

	private Duration maxRunTime = Duration.ofHours(1);

	private @Nullable String headers;

	private @Nullable String orderingKey;

	private String type = "mail";

	private boolean atMostOnce;

	private int releases;

	public ClaimedJobBuilder id(UUID id) {
		this.id = id;
		return this;
	}

	public ClaimedJobBuilder queue(String queue) {
		this.queue = queue;
		return this;
	}

	public ClaimedJobBuilder payload(Encoded payload) {
		this.payload = payload;
		return this;
	}

	public ClaimedJobBuilder priority(int priority) {
		this.priority = priority;
		return this;
	}

	public ClaimedJobBuilder runAt(Instant runAt) {
		this.runAt = runAt;
		return this;
	}

	public ClaimedJobBuilder seq(long seq) {
		this.seq = seq;
		return this;
	}

	public ClaimedJobBuilder attempt(int attempt) {
		this.attempt = attempt;
		return this;
	}

	public ClaimedJobBuilder expectedFailures(int expectedFailures) {
		this.expectedFailures = expectedFailures;
		return this;
	}

	public ClaimedJobBuilder maxAttempts(int maxAttempts) {
		this.maxAttempts = maxAttempts;
		return this;
	}

	public ClaimedJobBuilder maxRunTime(Duration maxRunTime) {
		this.maxRunTime = maxRunTime;
		return this;
	}

	public ClaimedJobBuilder headers(@Nullable String headers) {
		this.headers = headers;
		return this;
	}

	public ClaimedJobBuilder type(String type) {
		this.type = type;
		return this;
	}

	public ClaimedJobBuilder orderingKey(@Nullable String orderingKey) {
		this.orderingKey = orderingKey;
		return this;
	}

	public ClaimedJobBuilder atMostOnce(boolean atMostOnce) {
		this.atMostOnce = atMostOnce;
		return this;
	}

	public ClaimedJobBuilder releases(int releases) {
		this.releases = releases;
		return this;
	}

	public ClaimedJob build() {
		return new ClaimedJob(this.id, 1, this.queue, this.type, this.payload, this.priority, this.runAt, this.seq,
				this.attempt, this.expectedFailures, this.maxAttempts, this.maxRunTime, Instant.EPOCH, this.headers,
				null, this.orderingKey, null, this.atMostOnce, false, this.releases);
	}

}
