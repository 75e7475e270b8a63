package io.jobqueue.boot.autoconfigure;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * The transactions that jobs join.
 *
 * @param manager their manager, which carries those of the {@link QueueDatabase}
 */
record QueueTransactions(PlatformTransactionManager manager) {
}
