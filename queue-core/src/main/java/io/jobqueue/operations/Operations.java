package io.jobqueue.operations;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.CancelOutcome;
import io.jobqueue.GroupProgress;
import io.jobqueue.JobInfo;
import io.jobqueue.JobOperations;
import io.jobqueue.JobPage;
import io.jobqueue.JobQuery;
import io.jobqueue.JobStats;

/**
 * Carries out what is asked for outside any transaction of the caller: some data sources
 * would hand out the connection of that.
 */
public final class Operations implements JobOperations {

	private final Inspecting inspecting;

	private final Counting counting;

	private final Cancelling cancelling;

	private final TransactionTemplate outside;

	/**
	 * Create operations.
	 * @param parts what they work with
	 */
	public Operations(OperationParts parts) {
		this.inspecting = new Inspecting(parts.search());
		this.counting = new Counting(parts.gauges(), parts.search());
		this.cancelling = new Cancelling(parts);
		this.outside = new TransactionTemplate(parts.transactionManager());
		this.outside.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
	}

	@Override
	public Optional<JobInfo> find(UUID id) {
		Objects.requireNonNull(id, "'id' must not be null");
		return outside(() -> this.inspecting.find(id));
	}

	@Override
	public Optional<JobInfo> findByKey(String queue, String key) {
		Objects.requireNonNull(queue, "'queue' must not be null");
		Objects.requireNonNull(key, "'key' must not be null");
		return outside(() -> this.inspecting.findByKey(queue, key));
	}

	@Override
	public JobPage list(JobQuery query) {
		Objects.requireNonNull(query, "'query' must not be null");
		return outside(() -> this.inspecting.list(query));
	}

	@Override
	public JobStats stats() {
		return outside(this.counting::ofAll);
	}

	@Override
	public JobStats stats(String queue) {
		Objects.requireNonNull(queue, "'queue' must not be null");
		return outside(() -> this.counting.of(queue));
	}

	@Override
	public GroupProgress groupProgress(String queue, String group) {
		Objects.requireNonNull(queue, "'queue' must not be null");
		Objects.requireNonNull(group, "'group' must not be null");
		return outside(() -> this.inspecting.groupProgress(queue, group));
	}

	@Override
	public CancelOutcome cancel(UUID id) {
		Objects.requireNonNull(id, "'id' must not be null");
		return outside(() -> this.cancelling.cancel(id));
	}

	private <T> T outside(Supplier<T> operation) {
		return Objects.requireNonNull(this.outside.execute((status) -> operation.get()));
	}

}
