package io.jobqueue.worker.completion;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobCancelled;
import io.jobqueue.JobDied;
import io.jobqueue.JobEvent;
import io.jobqueue.JobFailed;
import io.jobqueue.JobState;
import io.jobqueue.JobSucceeded;
import io.jobqueue.event.JobEvents;
import io.jobqueue.event.JobInfos;
import io.jobqueue.store.JobStore.CompletionResult;
import io.jobqueue.store.Outcome.Completed;
import io.jobqueue.store.Outcome.CompletedInTransaction;
import io.jobqueue.store.Outcome.Dead;
import io.jobqueue.store.Outcome.RetryLater;

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
				.filter((each) -> result.jobs().contains(each.job().id()))
				.map((each) -> result.cancelled().contains(each.job().id())
						? new JobCancelled(JobInfos.of(each.job(), JobState.CANCELLED)) : event(each))
				.filter(Objects::nonNull)
				.toList());
		}
	}

	private @Nullable JobEvent event(Completion completion) {
		if (completion.outcome() instanceof Completed || completion.outcome() instanceof CompletedInTransaction) {
			return this.events.areWanted(JobSucceeded.class)
					? new JobSucceeded(JobInfos.of(completion.job(), JobState.SUCCEEDED)) : null;
		}
		if (completion.outcome() instanceof RetryLater) {
			return new JobFailed(JobInfos.of(completion.job(), JobState.RETRYING), completion.cause());
		}
		return (completion.outcome() instanceof Dead)
				? new JobDied(JobInfos.of(completion.job(), JobState.DEAD), completion.cause()) : null;
	}

}
