package io.jobqueue.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.util.Assert;

import io.jobqueue.JobQuery;
import io.jobqueue.JobState;
import io.jobqueue.store.SearchStore;
import io.jobqueue.store.SearchStore.FoundJob;
import io.jobqueue.store.SearchStore.SearchResult;

/**
 * Goes through all jobs of a query, some at a time.
 */
final class BulkSteps {

	private static final Logger logger = LoggerFactory.getLogger(BulkSteps.class);

	private static final int STEP = 500;

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final SearchStore search;

	private final OutsideTransaction outside;

	private final AuditLog log;

	BulkSteps(SearchStore search, OutsideTransaction outside, AuditLog log) {
		this.search = search;
		this.outside = outside;
		this.log = log;
	}

	/**
	 * Do something to the jobs that are in one of the states.
	 * @param step returns how many jobs it has changed
	 * @return how many that is in all
	 */
	long each(Operation operation, Set<JobState> possible, JobQuery query, ToLongFunction<List<FoundJob>> step) {
		Set<JobState> states = EnumSet.copyOf(possible);
		if (!query.states().isEmpty()) {
			states.retainAll(query.states());
		}
		return states.isEmpty() ? 0
				: each(operation, query.states(states.toArray(JobState[]::new)), this.search::search, step);
	}

	/**
	 * Do something to archived jobs, the oldest first.
	 */
	long eachOfArchive(Operation operation, JobQuery query, ToLongFunction<List<FoundJob>> step) {
		return each(operation, query, this.search::searchArchive, step);
	}

	private long each(Operation operation, JobQuery query, BiFunction<JobQuery, Duration, SearchResult> pages,
			ToLongFunction<List<FoundJob>> step) {
		Assert.isTrue(query.after().isEmpty(), "'after' must not be set: a bulk operation starts at the first job");
		AtomicLong affected = new AtomicLong();
		try {
			this.outside
				.run(() -> each(older(query).limit(STEP), pages, (jobs) -> affected.addAndGet(step.applyAsLong(jobs))));
			return affected.get();
		}
		finally {
			this.log.done(operation, query, affected.get());
		}
	}

	/**
	 * A producer must not keep us busy for ever, nor our own copies.
	 */
	private JobQuery older(JobQuery query) {
		Instant now = this.search.now();
		return query.enqueuedBefore().filter((time) -> time.isBefore(now)).isPresent() ? query
				: query.enqueuedBefore(now);
	}

	private static void each(JobQuery query, BiFunction<JobQuery, Duration, SearchResult> pages,
			Consumer<List<FoundJob>> step) {
		SearchResult page = pages.apply(query, PATIENCE);
		takeStep(page.jobs(), step);
		while (page.next() != null) {
			page = pages.apply(query.after(page.next()), PATIENCE);
			takeStep(page.jobs(), step);
		}
	}

	/**
	 * Live and archived jobs are changed in a transaction each: what was done to these
	 * must not be done again because those are locked.
	 */
	private static void takeStep(List<FoundJob> jobs, Consumer<List<FoundJob>> step) {
		carefully(jobs.stream().filter((job) -> !OperationErrors.isFinished(job)).toList(), step);
		carefully(jobs.stream().filter(OperationErrors::isFinished).toList(), step);
	}

	/**
	 * A job that somebody keeps locked, or whose key somebody uses, holds up no other.
	 */
	private static void carefully(List<FoundJob> jobs, Consumer<List<FoundJob>> step) {
		try {
			if (!jobs.isEmpty()) {
				step.accept(jobs);
			}
		}
		catch (CannotAcquireLockException ex) {
			if (jobs.size() > 1) {
				int half = jobs.size() / 2;
				carefully(jobs.subList(0, half), step);
				carefully(jobs.subList(half, jobs.size()), step);
			}
			else {
				FoundJob job = jobs.get(0);
				logger.warn(
						"Skipped job {} of type {} in queue {}: the job or its key is locked by another transaction",
						job.id(), job.type(), job.tier().queue());
			}
		}
	}

}
