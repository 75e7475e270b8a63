package io.jobqueue.internal.dependency;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.jobqueue.BatchDetails;
import io.jobqueue.BatchInfo;
import io.jobqueue.JobState;
import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.internal.dependency.Graph.MemberBatch;
import io.jobqueue.internal.store.NewJob;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is known of the jobs of a graph without the tables: how they may have ended, and
 * for which of them an operator has decided that they no longer wait.
 */
final class Reference {

	private final Map<UUID, NewJob> jobs;

	private final MemberBatch batch;

	private final Set<UUID> callbacks = ConcurrentHashMap.newKeySet();

	private final Set<UUID> maySucceed = ConcurrentHashMap.newKeySet();

	private final Set<UUID> mayFail = ConcurrentHashMap.newKeySet();

	private final Set<UUID> succeeded = ConcurrentHashMap.newKeySet();

	private final Set<UUID> independent = ConcurrentHashMap.newKeySet();

	private final Set<UUID> committed = ConcurrentHashMap.newKeySet();

	Reference(Graph graph) {
		this.batch = graph.batch();
		this.jobs = graph.jobs().stream().collect(Collectors.toMap(NewJob::id, Function.identity()));
	}

	void committed(NewJob job) {
		this.committed.add(job.id());
	}

	Set<UUID> committed() {
		return this.committed;
	}

	/**
	 * A success is about to be committed.
	 */
	void maySucceed(UUID job) {
		this.maySucceed.add(job);
	}

	/**
	 * A death, cancellation or deletion is about to be committed.
	 */
	void mayFail(UUID job) {
		this.mayFail.add(job);
	}

	void hasSucceeded(UUID job) {
		assertThat(this.succeeded.add(job)).as("%s succeeds once", job).isTrue();
	}

	/**
	 * An operator is about to release or to retry a job.
	 */
	void independent(UUID job) {
		this.independent.add(job);
	}

	/**
	 * No job runs before its predecessors, and no callback before the members.
	 */
	void begins(UUID job) {
		if (this.batch.callbacks().stream().anyMatch((callback) -> callback.id().equals(job))) {
			calls(job);
		}
		else {
			beginsAfterPredecessors(job);
		}
	}

	private void calls(UUID callback) {
		this.callbacks.add(callback);
		assertThat(members()).as("members that end before the callback %s", callback)
			.allMatch((member) -> this.maySucceed.contains(member) || mayHaveFailed(member));
	}

	private List<UUID> members() {
		return this.batch.members().stream().filter(this.committed::contains).toList();
	}

	private void beginsAfterPredecessors(UUID job) {
		assertThat(this.independent.contains(job)
				|| jobs(job).predecessors().ids().stream().allMatch((id) -> mayBeSatisfied(id, job)))
			.as("%s runs after its predecessors", job)
			.isTrue();
	}

	private NewJob jobs(UUID id) {
		NewJob job = this.jobs.get(id);
		assertThat(job).isNotNull();
		return job;
	}

	private boolean mayBeSatisfied(UUID predecessor, UUID job) {
		return this.maySucceed.contains(predecessor)
				|| (policy(job) == OnPredecessorFailure.RUN && mayHaveFailed(predecessor));
	}

	private OnPredecessorFailure policy(UUID job) {
		return jobs(job).predecessors().onFailure();
	}

	/**
	 * No job is forgotten, once nothing happens any more.
	 * @param states the states of live and archived jobs
	 */
	void ended(Map<UUID, Ended> states) {
		this.committed.forEach((job) -> {
			Ended ended = states.get(job);
			if (ended == null) {
				assertThat(this.succeeded.contains(job) || mayHaveFailed(job)).as("%s is lost", job).isTrue();
			}
			else {
				ended(job, ended, states);
			}
		});
	}

	/**
	 * A batch has finished if its members have ended, and one callback was called. After
	 * a retry, a member may end once more.
	 * @param details the batch, once nothing happens any more
	 */
	void ended(BatchDetails details) {
		BatchInfo info = details.info();
		List<UUID> members = members();
		assertThat(info.total()).as("members of the batch").isEqualTo(members.size());
		if (details.finishedAt() == null) {
			assertThat(info.unfinished()).as("unfinished members").isPositive();
			assertThat(this.callbacks).isEmpty();
		}
		else {
			NewJob failed = (info.failed() > 0) ? this.batch.onFailure() : null;
			assertThat(this.callbacks).containsExactly((failed != null) ? failed.id() : this.batch.then().id());
		}
		if (members.stream().noneMatch(this.independent::contains)) {
			assertThat(info.succeeded()).as("succeeded members")
				.isEqualTo(members.stream().filter(this.succeeded::contains).count());
		}
	}

	/**
	 * @param live the number of live members
	 */
	void unfinished(BatchDetails details, long live) {
		if (details.finishedAt() == null) {
			assertThat(details.info().unfinished()).as("live members").isEqualTo(live);
		}
	}

	/**
	 * @param callbacks the number of callbacks that still wait
	 */
	void blocked(BatchDetails details, long callbacks) {
		long expected = (details.finishedAt() != null) ? 0 : this.batch.callbacks().size();
		assertThat(callbacks).as("callbacks that wait").isEqualTo(expected);
	}

	private void ended(UUID job, Ended ended, Map<UUID, Ended> states) {
		assertThat(ended.state()).as("state of %s", job)
			.isIn(JobState.BLOCKED, JobState.SUCCEEDED, JobState.DEAD, JobState.CANCELLED);
		if (ended.state() == JobState.BLOCKED) {
			assertThat(jobs(job).predecessors().ids()).as("%s waits for one of these", job)
				.anyMatch((predecessor) -> mayWait(job, predecessor, states.get(predecessor)));
		}
		if (ended.state() == JobState.DEAD && ended.attempts() == 0) {
			assertThat(mayFailWithOther(job)).as("%s fails with a predecessor", job).isTrue();
		}
	}

	private boolean mayHaveFailed(UUID job) {
		return this.mayFail.contains(job) || mayFailWithOther(job);
	}

	private boolean mayFailWithOther(UUID job) {
		return policy(job) == OnPredecessorFailure.FAIL
				&& jobs(job).predecessors().ids().stream().anyMatch(this::mayHaveFailed);
	}

	private boolean mayWait(UUID job, UUID predecessor, @Nullable Ended ended) {
		if (ended != null && !ended.state().isFinished()) {
			return true;
		}
		boolean failed = (ended != null) ? ended.state() != JobState.SUCCEEDED : !this.succeeded.contains(predecessor);
		return failed && policy(job) == OnPredecessorFailure.WAIT;
	}

	/**
	 * A job in the tables.
	 *
	 * @param state its state
	 * @param attempts how many attempts have begun
	 */
	record Ended(JobState state, int attempts) {
	}

}
