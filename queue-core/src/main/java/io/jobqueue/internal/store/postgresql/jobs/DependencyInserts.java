package io.jobqueue.internal.store.postgresql.jobs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobRejectedException;
import io.jobqueue.JobState;
import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.internal.store.JobStore.EnqueueResult;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.postgresql.transaction.CallerStatements;

/**
 * Inserts the predecessors of jobs in the caller's transaction. No committed predecessor
 * is locked, because the caller's transaction may stay open while it is completed.
 */
final class DependencyInserts {

	private static final int MAX_ROWS = 5_000;

	private final CallerStatements callers;

	DependencyInserts(CallerStatements callers) {
		this.callers = callers;
	}

	/**
	 * Write jobs and their predecessors.
	 * @param inserts writes the jobs, given the ids of those that wait
	 * @throws JobRejectedException if a predecessor is unknown; nothing is written then
	 */
	EnqueueResult write(List<NewJob> jobs, BiFunction<List<NewJob>, Set<UUID>, EnqueueResult> inserts) {
		List<Dependency> open = open(jobs);
		EnqueueResult written = inserts.apply(jobs, open.stream().map(Dependency::job).collect(Collectors.toSet()));
		Set<UUID> added = written.jobs().stream().map((job) -> job.receipt().id()).collect(Collectors.toSet());
		return written.withPredecessors(insert(open.stream().filter((each) -> added.contains(each.job())).toList()));
	}

	/**
	 * Return the dependencies that are not satisfied yet.
	 */
	private List<Dependency> open(List<NewJob> jobs) {
		Map<UUID, Boolean> successes = successes(jobs);
		List<Dependency> open = new ArrayList<>();
		for (NewJob job : jobs) {
			OnPredecessorFailure policy = job.predecessors().onFailure();
			for (UUID id : job.predecessors().ids()) {
				if (!isSatisfied(successes.get(id), policy)) {
					open.add(new Dependency(id, job.id(), policy));
				}
			}
		}
		return open;
	}

	/**
	 * @param success whether the predecessor has succeeded, {@code null} if it is live
	 */
	private static boolean isSatisfied(@Nullable Boolean success, OnPredecessorFailure policy) {
		return success != null && (success || policy == OnPredecessorFailure.RUN);
	}

	/**
	 * Return whether finished predecessors have succeeded.
	 */
	private Map<UUID, Boolean> successes(List<NewJob> jobs) {
		Set<UUID> ids = new LinkedHashSet<>();
		jobs.forEach((job) -> ids.addAll(job.predecessors().ids()));
		Map<UUID, Boolean> finished = new HashMap<>();
		portions(List.copyOf(ids)).forEach((portion) -> read(portion, finished));
		return finished;
	}

	/**
	 * Reads both tables from one snapshot, so that a job that is archived at the same
	 * time is found.
	 */
	private static final String STATES = """
			SELECT p.id, j.id IS NOT NULL AS live, a.state
			FROM unnest(?::uuid[]) AS p (id)
			LEFT JOIN LATERAL (SELECT j.id FROM jobqueue_job j WHERE j.id = p.id LIMIT 1) j ON true
			LEFT JOIN LATERAL (SELECT a.state FROM jobqueue_archive a WHERE a.id = p.id LIMIT 1) a ON true
			""";

	private void read(List<UUID> predecessors, Map<UUID, Boolean> finished) {
		this.callers.list(STATES, (parameters) -> parameters.uuids(predecessors, (id) -> id), (row, number) -> {
			UUID id = row.getObject("id", UUID.class);
			String state = row.getString("state");
			if (state != null) {
				finished.put(id, JobState.SUCCEEDED.name().equals(state));
			}
			else if (!row.getBoolean("live")) {
				throw unknown(id);
			}
			return id;
		});
	}

	private static JobRejectedException unknown(UUID id) {
		return new JobRejectedException("after", """
				names job %s, which is neither live nor in the archive: no such job is committed, it was deleted, \
				or the 'retention' of its queue has ended. Enqueue jobs before those that wait for them, in the same \
				or an earlier transaction, and keep succeeded jobs for as long as others may name them"""
			.formatted(id));
	}

	/**
	 * Marks predecessors that this transaction has inserted: their rows are locked
	 * already. Returns the others, which are marked after the commit.
	 */
	private static final String INSERT = """
			WITH dependency AS (
			    SELECT * FROM unnest(?::uuid[], ?::uuid[], ?::text[]) AS d (predecessor_id, job_id, on_failure)
			), written AS (
			    INSERT INTO jobqueue_dependency (predecessor_id, job_id, on_failure)
			    SELECT predecessor_id, job_id, on_failure FROM dependency
			), predecessor AS (
			    SELECT DISTINCT predecessor_id AS id FROM dependency
			), marked AS (
			    UPDATE jobqueue_job j SET has_successors = true
			    FROM predecessor p
			    WHERE j.id = p.id AND j.xmin = pg_current_xact_id()::xid
			    RETURNING j.id
			)
			SELECT p.id FROM predecessor p WHERE NOT EXISTS (SELECT 1 FROM marked m WHERE m.id = p.id)
			""";

	/**
	 * @return the predecessors that are to be resolved after the commit
	 */
	private Set<UUID> insert(List<Dependency> dependencies) {
		Set<UUID> unmarked = new HashSet<>();
		for (List<Dependency> portion : portions(dependencies)) {
			unmarked.addAll(this.callers.list(INSERT,
					(parameters) -> parameters.uuids(portion, Dependency::predecessor)
						.uuids(portion, Dependency::job)
						.texts(portion, (each) -> each.onFailure().name()),
					(row, number) -> row.getObject("id", UUID.class)));
		}
		return unmarked;
	}

	private static <T> List<List<T>> portions(List<T> all) {
		return IntStream.range(0, (all.size() + MAX_ROWS - 1) / MAX_ROWS)
			.mapToObj((portion) -> all.subList(portion * MAX_ROWS, Math.min((portion + 1) * MAX_ROWS, all.size())))
			.toList();
	}

	/**
	 * A job that waits for another one.
	 */
	private record Dependency(UUID predecessor, UUID job, OnPredecessorFailure onFailure) {
	}

}
