package io.jobqueue.internal.worker.execution;

import java.util.ArrayList;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

/**
 * The synchronizations that one handler has registered in a transaction that it shares
 * with others. They are called as in a transaction of its own: those before the commit
 * when the handler has returned, the others after the end of the transaction.
 */
final class JobCallbacks {

	private static final Logger logger = LoggerFactory.getLogger(JobCallbacks.class);

	private final List<TransactionSynchronization> others = TransactionSynchronizationManager.getSynchronizations();

	private List<TransactionSynchronization> own = List.of();

	private List<TransactionSynchronization> registered() {
		List<TransactionSynchronization> registered = new ArrayList<>(
				TransactionSynchronizationManager.getSynchronizations());
		registered.removeAll(this.others);
		return registered;
	}

	/**
	 * Call {@code beforeCommit}, whose exceptions fail the job.
	 */
	void beforeCommit() {
		registered().forEach((each) -> each.beforeCommit(false));
	}

	/**
	 * Call {@code beforeCompletion} and remove the synchronizations from the transaction,
	 * so that they see neither the handlers nor the rollbacks of later jobs. A second
	 * call has no effect.
	 */
	void detach() {
		registered().forEach(JobCallbacks::beforeCompletion);
		List<TransactionSynchronization> registered = registered();
		if (!registered.isEmpty()) {
			this.own = registered;
			TransactionSynchronizationManager.clearSynchronization();
			TransactionSynchronizationManager.initSynchronization();
			this.others.forEach(TransactionSynchronizationManager::registerSynchronization);
		}
	}

	private static void beforeCompletion(TransactionSynchronization each) {
		try {
			each.beforeCompletion();
		}
		catch (Throwable ex) {
			logger.error("TransactionSynchronization.beforeCompletion threw exception", ex);
		}
	}

	boolean isEmpty() {
		return this.own.isEmpty();
	}

	void afterCommit() {
		TransactionSynchronizationUtils.invokeAfterCommit(this.own);
	}

	void afterCompletion(int status) {
		TransactionSynchronizationUtils.invokeAfterCompletion(this.own, status);
	}

}
