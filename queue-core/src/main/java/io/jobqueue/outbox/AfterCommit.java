package io.jobqueue.outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Something to do once what was just written is committed. A rollback takes it along, and
 * so does one to a savepoint that was made before.
 */
final class AfterCommit implements TransactionSynchronization {

	private static final Duration UNTIL_CLEANED_UP = Duration.ofMillis(50);

	private final Runnable task;

	private final List<Object> laterSavepoints = new ArrayList<>();

	private boolean over;

	private AfterCommit(Runnable task) {
		this.task = task;
	}

	static void run(Runnable task) {
		TransactionSynchronizationManager.registerSynchronization(new AfterCommit(task));
	}

	@Override
	public void savepoint(Object savepoint) {
		this.laterSavepoints.add(savepoint);
	}

	@Override
	public void savepointRollback(Object savepoint) {
		this.over |= !this.laterSavepoints.contains(savepoint);
	}

	@Override
	public void afterCommit() {
		if (!this.over) {
			this.over = true;
			this.task.run();
		}
	}

	/**
	 * What other synchronizations enqueue after the commit is committed only when the
	 * connection is cleaned up, right after this call.
	 */
	@Override
	public void afterCompletion(int status) {
		if (status == STATUS_COMMITTED && !this.over) {
			CompletableFuture.delayedExecutor(UNTIL_CLEANED_UP.toMillis(), TimeUnit.MILLISECONDS).execute(this.task);
		}
	}

}
