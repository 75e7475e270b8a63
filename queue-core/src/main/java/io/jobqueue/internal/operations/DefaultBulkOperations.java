package io.jobqueue.internal.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.util.Assert;

import io.jobqueue.BulkOperations;
import io.jobqueue.JobQuery;
import io.jobqueue.JobState;
import io.jobqueue.Priority;
import io.jobqueue.internal.operations.AuditLog.Operation;
import io.jobqueue.internal.store.OutsideTransaction;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.FoundJob;
import io.jobqueue.internal.store.SearchStore.SearchResult;

/**
 * Changes all jobs that a query finds, in pages of {@value #PAGE_SIZE} jobs. Each page
 * has transactions of its own: an operation that fails leaves the pages before it
 * changed.
 */
final class DefaultBulkOperations implements BulkOperations {

	private static final Logger logger = LoggerFactory.getLogger(DefaultBulkOperations.class);

	private static final Set<JobState> LIVE = Stream.of(JobState.values())
		.filter((state) -> !state.isFinished())
		.collect(Collectors.toUnmodifiableSet());

	private static final Set<JobState> ANY_BUT_RUNNING = EnumSet.complementOf(EnumSet.of(JobState.RUNNING));

	private static final Set<JobState> WAITING = EnumSet.of(JobState.SCHEDULED, JobState.READY, JobState.RETRYING,
			JobState.BLOCKED);

	private static final Set<JobState> FAILED = EnumSet.of(JobState.RETRYING, JobState.DEAD);

	private static final int PAGE_SIZE = 500;

	private static final Duration PAGE_TIMEOUT = Duration.ofSeconds(5);

	private final JobChanges changes;

	private final SearchStore search;

	private final OutsideTransaction outside;

	private final AuditLog log;

	DefaultBulkOperations(JobChanges changes, SearchStore search, OutsideTransaction outside, AuditLog log) {
		this.changes = changes;
		this.search = search;
		this.outside = outside;
		this.log = log;
	}

	@Override
	public long retry(JobQuery query) {
		Set<JobState> possible = required("query", query).states().isEmpty() ? FAILED : ANY_BUT_RUNNING;
		return change(Operation.of("retry"), possible, query, this.changes::retry);
	}

	@Override
	public long cancel(JobQuery query) {
		return change(Operation.of("cancel"), LIVE, required("query", query), this.changes::cancel);
	}

	@Override
	public long delete(JobQuery query) {
		return change(Operation.of("delete"), ANY_BUT_RUNNING, required("query", query), this.changes::delete);
	}

	long clear(String queue) {
		return change(Operation.of("clear"), WAITING, JobQuery.all().queue(queue), this.changes::delete);
	}

	@Override
	public long reschedule(JobQuery query, Instant runAt) {
		return change(Operation.of("reschedule").to(required("runAt", runAt)), WAITING, required("query", query),
				(jobs) -> this.changes.reschedule(ids(jobs), runAt));
	}

	@Override
	public long reprioritise(JobQuery query, Priority priority) {
		return change(Operation.of("reprioritise").to(required("priority", priority).value()), LIVE,
				required("query", query), (jobs) -> this.changes.reprioritise(ids(jobs), priority));
	}

	/**
	 * Copies are made in the order of the archive, oldest job first.
	 */
	@Override
	public long replay(JobQuery query) {
		return change(Operation.of("replay"), required("query", query), this.search::searchArchive,
				this.changes::replay);
	}

	private static <T> T required(String name, T value) {
		return Objects.requireNonNull(value, () -> "'%s' must not be null".formatted(name));
	}

	private static List<UUID> ids(Collection<FoundJob> jobs) {
		return jobs.stream().map(FoundJob::id).toList();
	}

	/**
	 * Change the jobs of a query whose state is one of those possible.
	 * @param change returns the number of jobs that it changed
	 * @return the number of all changed jobs
	 */
	private long change(Operation operation, Set<JobState> possible, JobQuery query,
			ToLongFunction<List<FoundJob>> change) {
		Set<JobState> states = EnumSet.copyOf(possible);
		if (!query.states().isEmpty()) {
			states.retainAll(query.states());
		}
		return states.isEmpty() ? 0
				: change(operation, query.states(states.toArray(JobState[]::new)), this.search::search, change);
	}

	private long change(Operation operation, JobQuery query, BiFunction<JobQuery, Duration, SearchResult> pages,
			ToLongFunction<List<FoundJob>> change) {
		Assert.isTrue(query.after().isEmpty(), "'after' must not be set: a bulk operation starts at the first job");
		AtomicLong affected = new AtomicLong();
		try {
			this.outside.run(() -> eachPage(bounded(query).limit(PAGE_SIZE), pages,
					(jobs) -> affected.addAndGet(change.applyAsLong(jobs))));
			return affected.get();
		}
		finally {
			this.log.done(operation, query, affected.get());
		}
	}

	/**
	 * Without a bound on the time of enqueueing, an operation would also change the
	 * copies that it creates, and would not end while a producer is faster.
	 */
	private JobQuery bounded(JobQuery query) {
		Instant now = this.search.now();
		return query.enqueuedBefore().filter((time) -> time.isBefore(now)).isPresent() ? query
				: query.enqueuedBefore(now);
	}

	private static void eachPage(JobQuery query, BiFunction<JobQuery, Duration, SearchResult> pages,
			Consumer<List<FoundJob>> change) {
		SearchResult page = pages.apply(query, PAGE_TIMEOUT);
		changePage(page.jobs(), change);
		while (page.next() != null) {
			page = pages.apply(query.after(page.next()), PAGE_TIMEOUT);
			changePage(page.jobs(), change);
		}
	}

	/**
	 * Live and archived jobs are changed in separate transactions. They are passed on
	 * separately, so that a lock on one kind does not repeat the change of the other.
	 */
	private static void changePage(List<FoundJob> jobs, Consumer<List<FoundJob>> change) {
		changeUnlocked(jobs.stream().filter((job) -> !OperationErrors.isFinished(job)).toList(), change);
		changeUnlocked(jobs.stream().filter(OperationErrors::isFinished).toList(), change);
	}

	/**
	 * A job that is locked by another transaction, or whose key is, is skipped. Halving
	 * the list isolates it.
	 */
	private static void changeUnlocked(List<FoundJob> jobs, Consumer<List<FoundJob>> change) {
		try {
			if (!jobs.isEmpty()) {
				change.accept(jobs);
			}
		}
		catch (CannotAcquireLockException ex) {
			if (jobs.size() > 1) {
				int half = jobs.size() / 2;
				changeUnlocked(jobs.subList(0, half), change);
				changeUnlocked(jobs.subList(half, jobs.size()), change);
			}
			else {
				logSkipped(jobs.get(0));
			}
		}
	}

	private static void logSkipped(FoundJob job) {
		logger.warn("Skipped job {} of type {} in queue {}: the job or its key is locked by another transaction",
				job.id(), job.type(), job.tier().queue());
	}

}
