package io.jobqueue.internal.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.CannotAcquireLockException;

import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.JobQuery;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.OperatorLogStore;
import io.jobqueue.internal.store.OutsideTransaction;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.CountResult;
import io.jobqueue.internal.store.SearchStore.FoundJob;
import io.jobqueue.internal.store.SearchStore.SearchResult;

/**
 * Changes all jobs that a query finds, in steps of at most {@value #STEP} jobs, each on
 * request. The caller keeps the position between two steps; not to ask for the next step
 * ends the operation. All steps add to one row of the operator log, and none is done
 * twice: each begins once, also if its request is repeated or sent by two callers.
 */
public final class BulkSteps {

	/**
	 * The maximum number of jobs that a preview counts.
	 */
	public static final int MAX_COUNT = 10_000;

	static final int STEP = 500;

	private static final Logger logger = LoggerFactory.getLogger(BulkSteps.class);

	/**
	 * With the last step of the search, and the rest of its page, it takes a second.
	 */
	private static final Duration SEARCH_TIME = Duration.ofMillis(800);

	private static final Duration LOCK_TIME = Duration.ofSeconds(10);

	private final JobChanges changes;

	private final SearchStore search;

	private final OperatorLogStore operatorLog;

	private final OutsideTransaction outside;

	private final AuditLog log;

	/**
	 * Create steps.
	 * @param services the stores and services that they use
	 */
	public BulkSteps(OperationServices services) {
		this.changes = new JobChanges(services);
		this.search = services.search();
		this.operatorLog = services.operatorLog();
		this.outside = new OutsideTransaction(services.transactionManager());
		this.log = new AuditLog(services.user());
	}

	/**
	 * Count the jobs that an operation would change, up to {@value #MAX_COUNT} and for
	 * about one second. The operation begins with this call: later jobs are not changed.
	 * @param bulk the operation
	 * @return the number, and the position of the first step
	 */
	public Preview preview(BulkChange bulk) {
		return this.outside.call(() -> {
			Instant began = this.search.now();
			CountResult count = bulk.isPossible()
					? this.search.count(bounded(bulk.query(), began), MAX_COUNT, SEARCH_TIME)
					: new CountResult(0, false, false);
			return new Preview(count.jobs(), count.capped(), count.partial(),
					new Position(UUID.randomUUID(), began, 0, null));
		});
	}

	/**
	 * Do one step.
	 * @param bulk the operation, the same in all steps
	 * @param position the position that the preview or the step before returned
	 * @param reason the reason for the operator log, the same in all steps, {@code null}
	 * for none
	 * @return what the step has changed
	 * @throws JobOperationException if the step has begun before, or if another user has
	 * begun the operation
	 * @throws IllegalArgumentException if the reason cannot be logged, or the position is
	 * invalid
	 * @throws org.springframework.dao.DataAccessException if the database fails: the jobs
	 * that the step has changed before stay changed
	 */
	public StepResult step(BulkChange bulk, Position position, @Nullable String reason) {
		AuditLog reasoned = (reason != null) ? this.log.because(reason) : this.log;
		LoggedOperation operation = reasoned.operation(position.id(), bulk.operation(), bulk.subject());
		AtomicLong changed = new AtomicLong();
		this.outside.run(() -> begin(operation, position));
		try {
			Page page = this.outside
				.call(() -> change(bulk, operation, position, SEARCH_TIME, LOCK_TIME, changed::addAndGet));
			return new StepResult(changed.get(), page.jobs() - changed.get(), page.next());
		}
		finally {
			reasoned.done(operation, changed.get());
		}
	}

	/**
	 * Change the jobs of a page. Each transaction that changes some reports their number.
	 */
	Page change(BulkChange bulk, LoggedOperation operation, Position position, Duration searchTime, Duration lockTime,
			Consumer<Long> changed) {
		List<FoundJob> jobs = new ArrayList<>();
		String next = bulk.isPossible() ? find(bulk, position, searchTime, jobs) : null;
		JobChanges logging = this.changes.logging(operation);
		new UnlockedJobs(lockTime, (unlocked) -> changed.accept(bulk.apply(logging, unlocked))).change(jobs);
		return new Page(jobs.size(), (next != null) ? position.next(next) : null);
	}

	/**
	 * Find the jobs of a step. The search goes on after jobs that the operation has
	 * changed before.
	 * @param jobs gets the jobs
	 * @return the position of the next step, {@code null} at the end
	 */
	private @Nullable String find(BulkChange bulk, Position position, Duration time, List<FoundJob> jobs) {
		long until = System.nanoTime() + time.toNanos();
		String next = position.after();
		do {
			SearchResult found = page(bulk, position.began(), next, STEP - jobs.size(),
					Duration.ofNanos(until - System.nanoTime()));
			found.jobs().stream().filter((job) -> bulk.includes(job, position.began())).forEach(jobs::add);
			next = found.next();
		}
		while (next != null && jobs.size() < STEP && System.nanoTime() - until < 0);
		return next;
	}

	void begin(LoggedOperation operation, Position position) {
		if (!this.operatorLog.beginStep(operation, position.step())) {
			throw new JobOperationException(null, Reason.FINISHED,
					"Step %s of this operation has begun before, in another window or by a repeated request: begin again with a new preview"
						.formatted(position.step() + 1));
		}
	}

	private SearchResult page(BulkChange bulk, Instant began, @Nullable String after, int limit, Duration time) {
		JobQuery query = bounded(bulk.query(), began).limit(limit);
		query = (after != null) ? query.after(after) : query;
		return bulk.isReplay() ? this.search.searchArchive(query, time) : this.search.search(query, time);
	}

	/**
	 * Without a bound on the time of enqueueing, an operation would also change the
	 * copies that it creates, and would not end while a producer is faster.
	 */
	private static JobQuery bounded(JobQuery query, Instant began) {
		return query.enqueuedBefore().filter((time) -> time.isBefore(began)).isPresent() ? query
				: query.enqueuedBefore(began);
	}

	/**
	 * What an operation would change.
	 *
	 * @param jobs the number of jobs, at most {@link #MAX_COUNT}
	 * @param more whether there are more
	 * @param partial whether counting stopped because of the time: there may be more
	 * @param first the position of the first step
	 */
	public record Preview(long jobs, boolean more, boolean partial, Position first) {
	}

	/**
	 * What a step has changed.
	 *
	 * @param changed the number of changed jobs
	 * @param skipped the number of jobs that were found, but not changed: another
	 * transaction has locked or changed them, or another job has their key. Jobs that
	 * have the requested priority or time already do not count
	 * @param next the position of the next step, {@code null} at the end
	 */
	public record StepResult(long changed, long skipped, @Nullable Position next) {
	}

	/**
	 * The position of an operation between two steps.
	 *
	 * @param id the id of the operation in the operator log
	 * @param began the time of the database at which it began
	 * @param step the number of the next step, from 0
	 * @param after the position of the search, {@code null} for the first step
	 */
	public record Position(UUID id, Instant began, int step, @Nullable String after) {

		Position next(String position) {
			return new Position(this.id, this.began, this.step + 1, position);
		}

	}

	/**
	 * A page of jobs that were changed, or skipped.
	 *
	 * @param jobs their number
	 * @param next the position of the next page, {@code null} at the end
	 */
	record Page(int jobs, @Nullable Position next) {
	}

	/**
	 * Changes jobs, except those that other transactions have locked.
	 *
	 * @param until when locked jobs are no longer told apart from others, in
	 * {@link System#nanoTime()}
	 * @param change changes jobs
	 */
	private record UnlockedJobs(long until, Consumer<List<FoundJob>> change) {

		UnlockedJobs(Duration time, Consumer<List<FoundJob>> change) {
			this(System.nanoTime() + time.toNanos(), change);
		}

		/**
		 * Live and archived jobs are changed in separate transactions. They are passed on
		 * separately, so that a lock on one kind does not repeat the change of the other.
		 */
		void change(List<FoundJob> jobs) {
			changeUnlocked(jobs.stream().filter((job) -> !OperationErrors.isFinished(job)).toList());
			changeUnlocked(jobs.stream().filter(OperationErrors::isFinished).toList());
		}

		/**
		 * A job that is locked by another transaction, or whose key is, is skipped.
		 * Halving the list isolates it. Each refusal takes the lock timeout: once the
		 * time is over, the rest of the list is skipped with it.
		 */
		private void changeUnlocked(List<FoundJob> jobs) {
			try {
				if (!jobs.isEmpty()) {
					this.change.accept(jobs);
				}
			}
			catch (CannotAcquireLockException ex) {
				if (jobs.size() > 1 && System.nanoTime() - this.until < 0) {
					int half = jobs.size() / 2;
					changeUnlocked(jobs.subList(0, half));
					changeUnlocked(jobs.subList(half, jobs.size()));
				}
				else {
					jobs.forEach(UnlockedJobs::logSkipped);
				}
			}
		}

		private static void logSkipped(FoundJob job) {
			logger.warn("Skipped job {} of type {} in queue {}: the job or its key is locked by another transaction",
					job.id(), job.type(), job.tier().queue());
		}

	}

}
