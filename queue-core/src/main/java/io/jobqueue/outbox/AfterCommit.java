package io.jobqueue.outbox;

import java.util.ArrayList;
import java.util.List;

import org.springframework.transaction.support.TransactionSynchronization;

/**
 * Something to do once what was just written is committed. A rollback takes it along, and
 * so does one to a savepoint that was made before.
 */
final class AfterCommit implements TransactionSynchronization {

	private final Runnable task;

	private final List<Object> laterSavepoints = new ArrayList<>();

	private boolean over;

	AfterCommit(Runnable task) {
		this.task = task;
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
	 * A callback of the application that throws keeps those behind it from their call
	 * after the commit.
	 */
	@Override
	public void afterCompletion(int status) {
		if (status == STATUS_COMMITTED) {
			afterCommit();
		}
	}

}
