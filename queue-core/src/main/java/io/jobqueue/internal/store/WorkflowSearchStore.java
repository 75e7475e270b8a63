package io.jobqueue.internal.store;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobPayload;
import io.jobqueue.WorkflowInfo;
import io.jobqueue.WorkflowState;

/**
 * Finds and counts instances of workflows for display. Each call runs in a transaction of
 * its own that changes nothing, and reads a bounded number of rows.
 */
public interface WorkflowSearchStore {

	/**
	 * The maximum number of workflows that are counted.
	 */
	int MAX_WORKFLOWS = 100;

	/**
	 * The maximum number of instances of which each call reads the state.
	 */
	int MAX_EXAMINED = 10_000;

	/**
	 * The maximum number of steps whose results are read.
	 */
	int MAX_RESULTS = 100;

	/**
	 * Count the instances of the first 100 workflows, in the order of their names: in
	 * each state those of the latest 10,000, or fewer where there are more than 5
	 * workflows.
	 * @return a count for each workflow and state
	 */
	List<InstanceCount> count();

	/**
	 * Find the latest instances of a workflow that are in a state. Up to 10,000 instances
	 * are examined: for running ones those that run, for failed and cancelled ones those
	 * that have failed or were cancelled, else all of the workflow.
	 * @param name the name of the workflow
	 * @param state the state
	 * @param after the position to continue after, {@code null} to start over
	 * @param limit the maximum number of instances
	 * @return the ids of the instances
	 */
	FoundInstances find(String name, WorkflowState state, @Nullable UUID after, int limit);

	/**
	 * Read instances.
	 * @param ids the ids of the instances
	 * @return those that exist, the latest first
	 */
	List<WorkflowInfo> read(Collection<UUID> ids);

	/**
	 * Read the instance of which a job is a step.
	 * @param job the id of the job
	 * @return the instance, {@code null} if the job is no step, or that of an earlier
	 * attempt of an operator to run the step
	 */
	@Nullable WorkflowInfo ofJob(UUID job);

	/**
	 * Read the results of the first 100 steps of an instance that have one.
	 * @param workflow the id of the instance
	 * @param atMost the number of characters or bytes to read of each
	 * @return the results, in the order of the steps
	 */
	List<ResultBeginning> results(UUID workflow, int atMost);

	/**
	 * A number of instances.
	 *
	 * @param name the name of the workflow
	 * @param state their state
	 * @param instances the number
	 * @param capped whether there may be more
	 */
	record InstanceCount(String name, WorkflowState state, long instances, boolean capped) {
	}

	/**
	 * The instances that a search has found.
	 *
	 * @param ids their ids, the latest first
	 * @param next the position of the next page, {@code null} if there is none
	 * @param partial whether the search stopped at the number of instances that it
	 * examines
	 */
	record FoundInstances(List<UUID> ids, @Nullable UUID next, boolean partial) {
	}

	/**
	 * The beginning of the result of a step.
	 *
	 * @param step the name of the step
	 * @param result the result
	 */
	record ResultBeginning(String step, JobPayload result) {
	}

}
