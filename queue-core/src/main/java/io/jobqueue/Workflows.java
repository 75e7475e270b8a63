package io.jobqueue;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.springframework.lang.CheckReturnValue;

/**
 * Starts instances of the workflows that the application defines, and operates on those
 * of all applications. All methods except {@link #start} run outside any transaction of
 * the caller.
 */
public interface Workflows {

	/**
	 * Start an instance: compute the payloads of all steps, store them, and begin the
	 * steps without conditions. Joins the caller's transaction like
	 * {@link JobQueue#enqueue(Object)}; without one, the start commits by itself. It
	 * sends one statement, however many steps there are. The instance keeps the
	 * definition that it was started with.
	 * @param name the name of the workflow
	 * @param input the input
	 * @return the id of the instance
	 * @throws JobRejectedException if no workflow has the name, the input is of another
	 * type, or the job of a step cannot be stored; nothing is written then
	 * @throws IllegalStateException if a {@link JobQueue} of the application has replaced
	 * the one that enqueues steps
	 */
	WorkflowReceipt start(String name, Object input);

	/**
	 * Return the workflows that this application defines.
	 * @return the definitions, ordered by name
	 */
	List<WorkflowDefinition<?>> definitions();

	/**
	 * Find an instance.
	 * @param id the id of the instance
	 * @return the instance, empty if there is none, or it is no longer kept
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	Optional<WorkflowInfo> find(UUID id);

	/**
	 * List instances, the newest first.
	 * @param query which ones
	 * @return a page of them
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	WorkflowPage list(WorkflowQuery query);

	/**
	 * Cancel an instance: no further step begins, those that wait are skipped, and the
	 * jobs of the others are cancelled like by {@link JobOperations#cancel(UUID)}. Steps
	 * that wait for a failure do not follow that. If this throws an exception, repeat it;
	 * jobs that are left are also cancelled by the reaper of any node.
	 * @param id the id of the instance
	 * @return {@code false} if there is no such instance, or it has finished
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	boolean cancel(UUID id);

	/**
	 * Run the failed and cancelled steps of an instance again, with the same payloads.
	 * Steps that were skipped because of them wait again, as do the steps that the
	 * cancellation of the instance has skipped. What has succeeded does not run again.
	 * The dead job of a step that begins at once runs again, like by
	 * {@link JobOperations#retry(UUID)}. Other failed and cancelled steps get new jobs,
	 * which replace theirs: these are deleted.
	 * @param id the id of the instance
	 * @return {@code false} if there is no such instance, or it has nothing to retry, or
	 * it or one of its jobs has just changed, or it is cancelled and one of its jobs has
	 * not ended yet
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	boolean retry(UUID id);

	/**
	 * Return these workflows with a reason for the operator log.
	 * @param reason why, 1 to 500 characters
	 * @return workflows whose cancellations and retries are logged with the reason
	 * @throws IllegalArgumentException if the reason is empty, too long or cannot be
	 * stored
	 */
	@CheckReturnValue
	Workflows because(String reason);

}
