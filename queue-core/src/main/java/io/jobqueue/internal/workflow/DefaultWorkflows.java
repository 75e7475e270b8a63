package io.jobqueue.internal.workflow;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import org.springframework.transaction.PlatformTransactionManager;

import io.jobqueue.JobOperations;
import io.jobqueue.WorkflowDefinition;
import io.jobqueue.WorkflowInfo;
import io.jobqueue.WorkflowPage;
import io.jobqueue.WorkflowQuery;
import io.jobqueue.WorkflowReceipt;
import io.jobqueue.Workflows;
import io.jobqueue.internal.operations.AuditLog;
import io.jobqueue.internal.operations.CurrentUser;
import io.jobqueue.internal.outbox.Outbox;
import io.jobqueue.internal.outbox.RequestReader;
import io.jobqueue.internal.store.OutsideTransaction;
import io.jobqueue.internal.store.WorkflowStore;
import io.jobqueue.internal.store.WorkflowStore.NewStep;

/**
 * The workflows of an application.
 */
public final class DefaultWorkflows implements Workflows {

	private final WorkflowCatalog catalog;

	private final WorkflowStart start;

	private final WorkflowStore store;

	private final WorkflowOperations operations;

	private final OutsideTransaction outside;

	/**
	 * Create the workflows.
	 * @param catalog the definitions
	 * @param listener called with the name and the steps of each instance that starts, on
	 * the thread of the caller and within its transaction
	 * @param outbox supplies what enqueues the jobs of steps
	 * @param jobs supplies what cancels them
	 * @param reader creates ids
	 * @param store stores instances
	 * @param follower begins steps after an operation
	 * @param user returns the user to log with an operation
	 * @param transactionManager the manager of the callers' transactions
	 */
	public DefaultWorkflows(WorkflowCatalog catalog, BiConsumer<String, List<NewStep>> listener,
			Supplier<Outbox> outbox, Supplier<JobOperations> jobs, RequestReader reader, WorkflowStore store,
			WorkflowFollower follower, CurrentUser user, PlatformTransactionManager transactionManager) {
		this(catalog, new WorkflowStart(catalog, listener, outbox, reader, store), store,
				new WorkflowOperations(store, follower, jobs, reader::newId, new AuditLog(user)),
				new OutsideTransaction(transactionManager));
	}

	private DefaultWorkflows(WorkflowCatalog catalog, WorkflowStart start, WorkflowStore store,
			WorkflowOperations operations, OutsideTransaction outside) {
		this.catalog = catalog;
		this.start = start;
		this.store = store;
		this.operations = operations;
		this.outside = outside;
	}

	@Override
	public Workflows because(String reason) {
		return new DefaultWorkflows(this.catalog, this.start, this.store, this.operations.because(reason),
				this.outside);
	}

	@Override
	public WorkflowReceipt start(String name, Object input) {
		return this.start.start(name, input);
	}

	@Override
	public List<WorkflowDefinition<?>> definitions() {
		return this.catalog.all();
	}

	@Override
	public Optional<WorkflowInfo> find(UUID id) {
		Objects.requireNonNull(id, "'id' must not be null");
		return this.outside.call(() -> Optional.ofNullable(this.store.info(id)));
	}

	@Override
	public WorkflowPage list(WorkflowQuery query) {
		Objects.requireNonNull(query, "'query' must not be null");
		List<WorkflowInfo> found = this.outside.call(() -> this.store.list(query));
		return new WorkflowPage(found, (found.size() == query.limit()) ? found.get(found.size() - 1).id() : null);
	}

	@Override
	public boolean cancel(UUID id) {
		Objects.requireNonNull(id, "'id' must not be null");
		return this.outside.call(() -> this.operations.cancel(id));
	}

	@Override
	public boolean retry(UUID id) {
		Objects.requireNonNull(id, "'id' must not be null");
		return this.outside.call(() -> this.operations.retry(id));
	}

}
