package io.jobqueue.operations;

import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.CancelOutcome;
import io.jobqueue.GroupProgress;
import io.jobqueue.JobOperations;
import io.jobqueue.store.OperationStore;

/**
 * Carries out what is asked for outside any transaction of the caller: some data sources
 * would hand out the connection of that.
 */
public final class Operations implements JobOperations {

	private final OperationStore store;

	private final Cancelling cancelling;

	private final TransactionTemplate outside;

	/**
	 * Create operations.
	 * @param store where jobs are looked for
	 * @param cancelling cancels jobs
	 * @param transactionManager the caller's transactions
	 */
	public Operations(OperationStore store, Cancelling cancelling, PlatformTransactionManager transactionManager) {
		this.store = store;
		this.cancelling = cancelling;
		this.outside = new TransactionTemplate(transactionManager);
		this.outside.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
	}

	@Override
	public CancelOutcome cancel(UUID id) {
		Objects.requireNonNull(id, "'id' must not be null");
		return outside(() -> this.cancelling.cancel(id));
	}

	@Override
	public GroupProgress groupProgress(String queue, String group) {
		Objects.requireNonNull(queue, "'queue' must not be null");
		Objects.requireNonNull(group, "'group' must not be null");
		return outside(() -> new GroupProgress(this.store.countGroup(queue, group)));
	}

	private <T> T outside(Supplier<T> operation) {
		return Objects.requireNonNull(this.outside.execute((status) -> operation.get()));
	}

}
