package io.jobqueue.internal.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.StepCondition;
import io.jobqueue.StepState;
import io.jobqueue.WorkflowInfo;
import io.jobqueue.WorkflowQuery;
import io.jobqueue.WorkflowState;
import io.jobqueue.internal.store.JobStore.EnqueueResult;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

/**
 * Instances of workflows. The job of a step is inserted when the step begins; until then,
 * and for retries, the row of the step has all that the job needs.
 */
public interface WorkflowStore {

	/**
	 * Insert an instance with its steps, and the jobs of those that begin with it, in the
	 * caller's transaction.
	 * @param workflow the instance
	 * @param parent the id of the job whose handler starts it, {@code null} for none
	 * @return the result for each step; one that waits is blocked
	 */
	EnqueueResult start(NewWorkflow workflow, @Nullable UUID parent);

	/**
	 * Read the result of a step, in the caller's transaction.
	 * @param workflow the id of the instance
	 * @param step the name of the step
	 * @return the result, {@code null} if there is no such step
	 */
	@Nullable StoredResult result(UUID workflow, String step);

	/**
	 * Find the instances to which jobs belong, with the states of their steps.
	 * @param jobs the ids of jobs that may be steps
	 * @return the instances, and the steps that are no predecessors
	 */
	StepOwners ofJobs(Collection<UUID> jobs);

	/**
	 * Find instances, with the states of their steps.
	 * @param workflows the ids of the instances
	 * @return the instances
	 */
	List<StoredWorkflow> find(Collection<UUID> workflows);

	/**
	 * Change the states of steps, and insert the jobs of those that begin, in a
	 * transaction of its own. An instance that is locked, or has changed since it was
	 * read, is skipped. The commit is asynchronous: a crash of the server may lose it.
	 * @param changes the changed instances
	 * @return the result
	 */
	Advance advance(Collection<ChangedWorkflow> changes);

	/**
	 * Find instances whose steps have ended without {@link #advance}, and cancelled ones
	 * with jobs that are not: the JVM that was to do this stopped before.
	 * @param last the id of the instance to continue after, {@code null} to start over
	 * @param limit the maximum number of instances to examine
	 * @return the result
	 */
	Sweep sweep(@Nullable UUID last, int limit);

	/**
	 * Read instances for people, with the stored states of their steps.
	 * @param query which ones
	 * @return the instances, the newest first
	 */
	List<WorkflowInfo> list(WorkflowQuery query);

	/**
	 * Read an instance for people.
	 * @param workflow the id of the instance
	 * @return the instance, {@code null} if there is none
	 */
	@Nullable WorkflowInfo info(UUID workflow);

	/**
	 * Request the cancellation of an unfinished instance, and skip the steps that wait.
	 * @param workflow the id of the instance
	 * @param operation the operation to log
	 * @return the ids of the jobs of steps that have begun, {@code null} if there is no
	 * such instance or it has finished
	 */
	@Nullable List<UUID> cancel(UUID workflow, LoggedOperation operation);

	/**
	 * Let failed steps run again or wait again, withdraw the cancellation of their
	 * instance, and write what follows, in one transaction.
	 * @param next what follows, with the version of the instance that was read
	 * @param jobs the jobs of the failed steps
	 * @param operation the operation to log
	 * @return the result, empty if the instance or one of the jobs has changed since it
	 * was read, or another transaction changes it; nothing is written then
	 */
	Advance retry(ChangedWorkflow next, RetriedJobs jobs, LoggedOperation operation);

	/**
	 * Delete instances that have finished some time ago.
	 * @param retention the time since their end
	 * @param limit the maximum number of instances
	 * @return the number of deleted instances
	 */
	int purge(Duration retention, int limit);

	/**
	 * A new instance.
	 *
	 * @param id its id
	 * @param name the name of the workflow
	 * @param steps its steps, each after all that its conditions name
	 */
	record NewWorkflow(UUID id, String name, List<NewStep> steps) {
	}

	/**
	 * A step of a new instance.
	 *
	 * @param name its name
	 * @param conditions the conditions for its begin, empty to begin at once
	 * @param job its job
	 */
	record NewStep(String name, List<StepCondition> conditions, NewJob job) {

		/**
		 * Return whether the step begins with the instance.
		 * @return {@code true} if it has no conditions
		 */
		public boolean begins() {
			return this.conditions.isEmpty();
		}

	}

	/**
	 * The instances to which jobs belong.
	 *
	 * @param workflows the instances
	 * @param settled the ids of the steps among the jobs that are no predecessors of jobs
	 */
	record StepOwners(List<StoredWorkflow> workflows, Set<UUID> settled) {
	}

	/**
	 * An instance.
	 *
	 * @param id its id
	 * @param version the version of its row
	 * @param state the stored state
	 * @param cancelled whether its cancellation was requested
	 * @param steps its steps, in their order
	 */
	record StoredWorkflow(UUID id, long version, WorkflowState state, boolean cancelled, List<StoredStep> steps) {

		/**
		 * Return the instance after a retry: its failed steps wait.
		 * @return the instance
		 */
		public StoredWorkflow retried() {
			return new StoredWorkflow(this.id, this.version, WorkflowState.RUNNING, false,
					this.steps.stream().map(StoredStep::retried).toList());
		}

	}

	/**
	 * A step of an instance.
	 *
	 * @param name its name
	 * @param conditions the conditions for its begin
	 * @param branch the branch that its handler has chosen, {@code null} for none
	 * @param stored the stored state
	 * @param state the state by its job, which may be a later one
	 * @param job the id of its job
	 * @param archived the state of its job in the archive, {@code null} if the job is not
	 * there
	 */
	record StoredStep(String name, List<StepCondition> conditions, @Nullable String branch, StepState stored,
			StepState state, UUID job, @Nullable StepState archived) {

		private StoredStep retried() {
			return this.state.isFailure() ? new StoredStep(this.name, this.conditions, null, StepState.WAITING,
					StepState.WAITING, this.job, this.archived) : this;
		}

	}

	/**
	 * The result of a step.
	 *
	 * @param queue the queue of its job, whose codec has encoded the result
	 * @param type the type of its job
	 * @param value the encoded result, {@code null} for none
	 */
	record StoredResult(String queue, String type, @Nullable Encoded value) {
	}

	/**
	 * What changes in an instance.
	 *
	 * @param id its id
	 * @param version the version of its row that was read
	 * @param state its new state
	 * @param steps the steps that change
	 */
	record ChangedWorkflow(UUID id, long version, WorkflowState state, List<ChangedStep> steps) {
	}

	/**
	 * A changed step.
	 *
	 * @param position its position in the instance, from 0
	 * @param state its new state
	 * @param begins whether it begins, so that its job is inserted
	 */
	record ChangedStep(int position, StepState state, boolean begins) {
	}

	/**
	 * The jobs of the failed steps of an instance that is retried.
	 *
	 * @param added the ids of new jobs, by the positions of their steps
	 * @param revived the ids of dead jobs that run again
	 * @param deleted the ids of archived jobs that are replaced by new ones
	 */
	record RetriedJobs(Map<Integer, UUID> added, List<UUID> revived, List<UUID> deleted) {
	}

	/**
	 * The result of changing instances.
	 *
	 * @param advanced the ids of the instances that were changed
	 * @param due the jobs that were inserted and are due, without keys
	 * @param available the other jobs that were inserted
	 */
	record Advance(Collection<UUID> advanced, List<DueJob> due, Collection<JobsAvailable> available) {
	}

	/**
	 * The result of one call of the sweep.
	 *
	 * @param workflows the ids of instances to advance
	 * @param uncancelled the ids of jobs to cancel
	 * @param last the instance to continue after, {@code null} if there are no more
	 */
	record Sweep(List<UUID> workflows, List<UUID> uncancelled, @Nullable UUID last) {
	}

}
