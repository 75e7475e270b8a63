package io.jobqueue.operations;

import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.jobqueue.BulkOperations;
import io.jobqueue.JobQuery;
import io.jobqueue.JobState;
import io.jobqueue.Priority;
import io.jobqueue.store.SearchStore.FoundJob;

/**
 * Does to many jobs what can be done to one, some at a time.
 */
final class DefaultBulkOperations implements BulkOperations {

	private static final Set<JobState> LIVE = Stream.of(JobState.values())
		.filter((state) -> !state.isFinished())
		.collect(Collectors.toUnmodifiableSet());

	private static final Set<JobState> ANY_BUT_RUNNING = EnumSet.complementOf(EnumSet.of(JobState.RUNNING));

	private static final Set<JobState> WAITING = EnumSet.of(JobState.SCHEDULED, JobState.READY, JobState.RETRYING,
			JobState.BLOCKED);

	private static final Set<JobState> FAILED = EnumSet.of(JobState.RETRYING, JobState.DEAD);

	private final BulkSteps steps;

	private final Retrying retrying;

	private final Replaying replaying;

	private final Cancelling cancelling;

	private final JobChanges editing;

	DefaultBulkOperations(BulkSteps steps, Retrying retrying, Replaying replaying, Cancelling cancelling,
			JobChanges editing) {
		this.steps = steps;
		this.retrying = retrying;
		this.replaying = replaying;
		this.cancelling = cancelling;
		this.editing = editing;
	}

	@Override
	public long retry(JobQuery query) {
		Set<JobState> possible = required("query", query).states().isEmpty() ? FAILED : ANY_BUT_RUNNING;
		return this.steps.each(Operation.of("retry"), possible, query, this.retrying::retry);
	}

	@Override
	public long cancel(JobQuery query) {
		return this.steps.each(Operation.of("cancel"), LIVE, required("query", query), this.cancelling::cancel);
	}

	@Override
	public long delete(JobQuery query) {
		return this.steps.each(Operation.of("delete"), ANY_BUT_RUNNING, required("query", query), this.editing::delete);
	}

	long clear(String queue) {
		return this.steps.each(Operation.of("clear"), WAITING, JobQuery.all().queue(queue), this.editing::delete);
	}

	@Override
	public long reschedule(JobQuery query, Instant runAt) {
		return this.steps.each(Operation.of("reschedule").to(required("runAt", runAt)), WAITING,
				required("query", query), (jobs) -> this.editing.reschedule(ids(jobs), runAt));
	}

	@Override
	public long reprioritise(JobQuery query, Priority priority) {
		return this.steps.each(Operation.of("reprioritise").to(required("priority", priority).value()), LIVE,
				required("query", query), (jobs) -> this.editing.reprioritise(ids(jobs), priority));
	}

	@Override
	public long replay(JobQuery query) {
		return this.steps.eachOfArchive(Operation.of("replay"), required("query", query), this.replaying::replay);
	}

	private static <T> T required(String name, T value) {
		return Objects.requireNonNull(value, () -> "'%s' must not be null".formatted(name));
	}

	private static List<UUID> ids(Collection<FoundJob> jobs) {
		return jobs.stream().map(FoundJob::id).toList();
	}

}
