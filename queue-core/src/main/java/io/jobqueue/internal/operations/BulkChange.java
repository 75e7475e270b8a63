package io.jobqueue.internal.operations;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import io.jobqueue.JobQuery;
import io.jobqueue.JobState;
import io.jobqueue.Priority;
import io.jobqueue.internal.operations.AuditLog.Operation;
import io.jobqueue.internal.store.SearchStore.FoundJob;

/**
 * An operation on all jobs of a query.
 */
public final class BulkChange {

	private static final Set<JobState> FINISHED = states(JobState::isFinished);

	private static final Set<JobState> LIVE = states((state) -> !state.isFinished());

	private static final Set<JobState> ANY_BUT_RUNNING = EnumSet.complementOf(EnumSet.of(JobState.RUNNING));

	private static final Set<JobState> RETRIABLE = EnumSet
		.complementOf(EnumSet.of(JobState.RUNNING, JobState.SUCCEEDED));

	private static final Set<JobState> WAITING = EnumSet.of(JobState.SCHEDULED, JobState.READY, JobState.RETRYING,
			JobState.BLOCKED);

	private static final Set<JobState> DUE_LATER = EnumSet.of(JobState.SCHEDULED, JobState.RETRYING, JobState.BLOCKED);

	private static final Set<JobState> FAILED = EnumSet.of(JobState.RETRYING, JobState.DEAD);

	private final Operation operation;

	private final JobQuery query;

	private final Set<JobState> states;

	private final Change change;

	private BulkChange(Operation operation, JobQuery query, Set<JobState> possible, Change change) {
		Assert.isTrue(query.after().isEmpty(), "'after' must not be set: a bulk operation starts at the first job");
		this.operation = operation;
		this.query = query;
		this.states = EnumSet.copyOf(possible);
		if (!query.states().isEmpty()) {
			this.states.retainAll(query.states());
		}
		this.change = change;
	}

	private static Set<JobState> states(Predicate<JobState> condition) {
		return Stream.of(JobState.values()).filter(condition).collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * Retry jobs: those in the states of the query or, if it has none, those that are
	 * retrying or dead.
	 * @param query the query
	 * @return the operation
	 */
	public static BulkChange retry(JobQuery query) {
		Set<JobState> possible = required("query", query).states().isEmpty() ? FAILED : RETRIABLE;
		return new BulkChange(Operation.of("retry"), query, possible, JobChanges::retry);
	}

	/**
	 * Cancel jobs.
	 * @param query the query
	 * @return the operation
	 */
	public static BulkChange cancel(JobQuery query) {
		return new BulkChange(Operation.of("cancel"), required("query", query), LIVE, JobChanges::cancel);
	}

	/**
	 * Delete jobs, live and archived.
	 * @param query the query
	 * @return the operation
	 */
	public static BulkChange delete(JobQuery query) {
		return new BulkChange(Operation.of("delete"), required("query", query), ANY_BUT_RUNNING, JobChanges::delete);
	}

	static BulkChange clear(String queue) {
		return new BulkChange(Operation.of("clear"), JobQuery.all().queue(queue), WAITING, JobChanges::delete);
	}

	/**
	 * Change when jobs are due.
	 * @param query the query
	 * @param runAt when they are due
	 * @return the operation
	 */
	public static BulkChange reschedule(JobQuery query, Instant runAt) {
		Instant time = required("runAt", runAt).truncatedTo(ChronoUnit.MICROS);
		return new BulkChange(Operation.of("reschedule").to(time), required("query", query), WAITING,
				(changes, jobs) -> changes.reschedule(ids(jobs), time));
	}

	/**
	 * Make jobs due that are due later.
	 * @param query the query
	 * @return the operation
	 */
	public static BulkChange runNow(JobQuery query) {
		return new BulkChange(Operation.of("reschedule").to(Instant.EPOCH), required("query", query), DUE_LATER,
				(changes, jobs) -> changes.reschedule(ids(jobs), Instant.EPOCH));
	}

	/**
	 * Change the priority of jobs.
	 * @param query the query
	 * @param priority their new priority
	 * @return the operation
	 */
	public static BulkChange reprioritise(JobQuery query, Priority priority) {
		return new BulkChange(Operation.of("reprioritise").to(required("priority", priority).value()),
				required("query", query), LIVE, (changes, jobs) -> changes.reprioritise(ids(jobs), priority));
	}

	/**
	 * Enqueue copies of archived jobs, in the order of the archive, the oldest first.
	 * @param query the query
	 * @return the operation
	 */
	public static BulkChange replay(JobQuery query) {
		return new BulkChange(Operation.of("replay"), required("query", query), FINISHED, JobChanges::replay);
	}

	private static <T> T required(String name, T value) {
		return Objects.requireNonNull(value, () -> "'%s' must not be null".formatted(name));
	}

	private static List<UUID> ids(Collection<FoundJob> jobs) {
		return jobs.stream().map(FoundJob::id).toList();
	}

	Operation operation() {
		return this.operation;
	}

	/**
	 * Return whether it can change a job at all: the query may ask for other states.
	 */
	boolean isPossible() {
		return !this.states.isEmpty();
	}

	/**
	 * Return whether it changes only archived jobs, in their order.
	 */
	boolean isReplay() {
		return this.operation.name().equals("replay");
	}

	/**
	 * Return the query with the states of the jobs that can be changed.
	 */
	JobQuery query() {
		return this.query.states(this.states.toArray(JobState[]::new));
	}

	/**
	 * Return the conditions in words, for logs.
	 */
	String subject() {
		String chosen = QueryText.of(this.query);
		if (isReplay()) {
			return chosen;
		}
		return chosen.equals(QueryText.ALL) ? chosen + ", " + QueryText.of(query()) : QueryText.of(query());
	}

	/**
	 * Return whether a job may be changed. Jobs that an earlier step has changed can be
	 * found again: retried ones that have failed since, and those that are claimed later
	 * than before because of their new priority or time.
	 * @param began when the operation began
	 */
	boolean includes(FoundJob job, Instant began) {
		return switch (this.operation.name()) {
			case "retry" -> hasNotBegunSince(began, job.details().startedAt());
			case "reschedule" -> !job.runAt().equals(this.operation.value());
			case "reprioritise" -> !Objects.equals(job.tier().priority(), this.operation.value());
			default -> true;
		};
	}

	private static boolean hasNotBegunSince(Instant began, @Nullable Instant startedAt) {
		return startedAt == null || startedAt.isBefore(began);
	}

	long apply(JobChanges changes, List<FoundJob> jobs) {
		return this.change.apply(changes, jobs);
	}

	/**
	 * Changes jobs, and returns how many.
	 */
	private interface Change {

		long apply(JobChanges changes, List<FoundJob> jobs);

	}

}
