package io.jobqueue.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import io.jobqueue.JobContext;
import io.jobqueue.Priority;
import io.jobqueue.payload.Headers;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.JobStore.ProgressReport;

/**
 * A claimed job, as its handler sees it.
 */
record Attempt(ClaimedJob job, Lease lease) implements JobContext {

	private static final int MAX_MESSAGE_LENGTH = 1_000;

	@Override
	public UUID id() {
		return this.job.id();
	}

	@Override
	public @Nullable String key() {
		return this.job.key();
	}

	@Override
	public String queue() {
		return this.job.queue();
	}

	@Override
	public String type() {
		return this.job.type();
	}

	@Override
	public Priority priority() {
		return Priority.of(this.job.priority());
	}

	@Override
	public int attempt() {
		return this.job.attempt();
	}

	@Override
	public int maxAttempts() {
		return this.job.maxAttempts();
	}

	@Override
	public Instant enqueuedAt() {
		return this.job.createdAt();
	}

	@Override
	public Instant runAt() {
		return this.job.runAt();
	}

	@Override
	public Map<String, String> headers() {
		return Headers.decode(this.job.headers());
	}

	@Override
	public boolean cancelRequested() {
		return this.lease.isCancelRequested();
	}

	@Override
	public void extend(Duration duration) {
		Assert.isTrue(duration.compareTo(Duration.ZERO) > 0, "'duration' must be more than zero");
		this.lease.extend(Outcomes.shortened(duration));
	}

	@Override
	public void progress(int percent, @Nullable String message) {
		int shown = Math.max(0, Math.min(100, percent));
		String text = (message != null) ? message : "";
		this.lease
			.report(new ProgressReport(id(), this.job.claim(), shown, ErrorText.storable(text, MAX_MESSAGE_LENGTH)));
	}

	@Override
	public String toString() {
		return this.job.toString();
	}

}
