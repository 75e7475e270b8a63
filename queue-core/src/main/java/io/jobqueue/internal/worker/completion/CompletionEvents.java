package io.jobqueue.internal.worker.completion;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobCancelled;
import io.jobqueue.JobDied;
import io.jobqueue.JobEvent;
import io.jobqueue.JobFailed;
import io.jobqueue.JobState;
import io.jobqueue.JobSucceeded;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.event.JobInfos;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;

/**
 * Publishes application events for recorded outcomes.
 */
public final class CompletionEvents implements CompletionWriter.Listener {

	private static final List<Class<? extends JobEvent>> KINDS = List.of(JobSucceeded.class, JobFailed.class,
			JobDied.class, JobCancelled.class);

	private final JobEvents events;

	/**
	 * Create a publisher of events.
	 * @param events publishes application events
	 */
	public CompletionEvents(JobEvents events) {
		this.events = events;
	}

	@Override
	public void recorded(List<Completion> completions, CompletionResult result) {
		if (KINDS.stream().anyMatch(this.events::areWanted)) {
			this.events.publish(completions.stream()
				.map((each) -> event(each, RunOutcome.of(each, result)))
				.filter(Objects::nonNull)
				.toList());
		}
	}

	private @Nullable JobEvent event(Completion completion, @Nullable RunOutcome outcome) {
		if (outcome == null || (outcome == RunOutcome.SUCCEEDED && !this.events.areWanted(JobSucceeded.class))) {
			return null;
		}
		return switch (outcome) {
			case SUCCEEDED -> new JobSucceeded(JobInfos.of(completion.job(), JobState.SUCCEEDED));
			case RETRIED, EXPECTED ->
				new JobFailed(JobInfos.of(completion.job(), JobState.RETRYING), completion.cause());
			case DEAD -> new JobDied(JobInfos.of(completion.job(), JobState.DEAD), completion.cause());
			case CANCELLED -> new JobCancelled(JobInfos.of(completion.job(), JobState.CANCELLED));
			case SNOOZED, LOST -> null;
		};
	}

}
