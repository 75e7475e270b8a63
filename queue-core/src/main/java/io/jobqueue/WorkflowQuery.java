package io.jobqueue;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.lang.CheckReturnValue;
import org.springframework.util.Assert;

/**
 * Selects instances of workflows to list, the newest first. Immutable: each condition
 * returns a copy.
 *
 * <pre class="code">
 * WorkflowQuery.all().name("fulfilment").state(WorkflowState.FAILED).limit(100)</pre>
 */
@CheckReturnValue
public final class WorkflowQuery {

	private static final int DEFAULT_LIMIT = 50;

	private static final int MAX_LIMIT = 1_000;

	private static final WorkflowQuery ALL = new WorkflowQuery(null, null, null, DEFAULT_LIMIT);

	private final @Nullable String name;

	private final @Nullable WorkflowState state;

	private final @Nullable UUID after;

	private final int limit;

	private WorkflowQuery(@Nullable String name, @Nullable WorkflowState state, @Nullable UUID after, int limit) {
		this.name = name;
		this.state = state;
		this.after = after;
		this.limit = limit;
	}

	/**
	 * Select all instances.
	 * @return the query
	 */
	public static WorkflowQuery all() {
		return ALL;
	}

	/**
	 * Select the instances of a workflow.
	 * @param name the name of the workflow
	 * @return a copy with that condition
	 */
	public WorkflowQuery name(String name) {
		return new WorkflowQuery(Objects.requireNonNull(name, "'name' must not be null"), this.state, this.after,
				this.limit);
	}

	/**
	 * Select the instances in a state.
	 * @param state the state
	 * @return a copy with that condition
	 */
	public WorkflowQuery state(WorkflowState state) {
		return new WorkflowQuery(this.name, Objects.requireNonNull(state, "'state' must not be null"), this.after,
				this.limit);
	}

	/**
	 * Select the page that follows another one of the same query.
	 * @param position the value of {@link WorkflowPage#next()} of the other page
	 * @return a copy that begins there
	 */
	public WorkflowQuery after(UUID position) {
		return new WorkflowQuery(this.name, this.state, Objects.requireNonNull(position, "'position' must not be null"),
				this.limit);
	}

	/**
	 * Set the maximum number of instances of a page. Default: 50.
	 * @param limit the number, from 1 to 1,000
	 * @return a copy with that limit
	 * @throws IllegalArgumentException if the number is out of range
	 */
	public WorkflowQuery limit(int limit) {
		Assert.isTrue(limit >= 1 && limit <= MAX_LIMIT,
				() -> "'limit' must be a number from 1 to %s, but is %s".formatted(MAX_LIMIT, limit));
		return new WorkflowQuery(this.name, this.state, this.after, limit);
	}

	/**
	 * Return the name of the workflow.
	 * @return the name, empty for all
	 */
	public Optional<String> name() {
		return Optional.ofNullable(this.name);
	}

	/**
	 * Return the state.
	 * @return the state, empty for all
	 */
	public Optional<WorkflowState> state() {
		return Optional.ofNullable(this.state);
	}

	/**
	 * Return the position after which the page begins.
	 * @return the position, empty for the first page
	 */
	public Optional<UUID> after() {
		return Optional.ofNullable(this.after);
	}

	/**
	 * Return the maximum number of instances of a page.
	 * @return the number
	 */
	public int limit() {
		return this.limit;
	}

}
