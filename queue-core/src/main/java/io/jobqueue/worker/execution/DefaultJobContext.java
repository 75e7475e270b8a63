package io.jobqueue.worker.execution;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import io.jobqueue.BatchInfo;
import io.jobqueue.JobContext;
import io.jobqueue.Priority;
import io.jobqueue.payload.Headers;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.JobStore.ProgressReport;
import io.jobqueue.store.StorableDuration;

/**
 * The {@link JobContext} of one attempt of a claimed job.
 */
public record DefaultJobContext(JobExecution run) implements JobContext {

	private static final int MAX_MESSAGE_LENGTH = 1_000;

	/**
	 * Return the claimed job.
	 * @return the job
	 */
	public ClaimedJob job() {
		return this.run.job();
	}

	@Override
	public UUID id() {
		return job().id();
	}

	@Override
	public @Nullable String key() {
		return job().key();
	}

	@Override
	public String queue() {
		return job().queue();
	}

	@Override
	public String type() {
		return job().type();
	}

	@Override
	public Priority priority() {
		return Priority.of(job().priority());
	}

	@Override
	public int attempt() {
		return job().attempt();
	}

	@Override
	public int maxAttempts() {
		return job().maxAttempts();
	}

	@Override
	public Instant enqueuedAt() {
		return job().createdAt();
	}

	@Override
	public Instant runAt() {
		return job().runAt();
	}

	@Override
	public @Nullable Instant scheduledAt() {
		return Headers.scheduledAt(job().headers());
	}

	@Override
	public Map<String, String> headers() {
		return Headers.decode(job().headers());
	}

	@Override
	public boolean cancelRequested() {
		return this.run.isCancelRequested();
	}

	@Override
	public void extend(Duration duration) {
		Assert.isTrue(duration.compareTo(Duration.ZERO) > 0, "'duration' must be positive");
		this.run.extend(StorableDuration.shortened(duration));
	}

	@Override
	public void progress(int percent, @Nullable String message) {
		int shown = Math.max(0, Math.min(100, percent));
		String text = (message != null) ? message : "";
		this.run.report(new ProgressReport(id(), job().claim(), shown, ErrorText.storable(text, MAX_MESSAGE_LENGTH)));
	}

	@Override
	public @Nullable BatchInfo batch() {
		return this.run.batch();
	}

	@Override
	public String toString() {
		return job().toString();
	}

}
