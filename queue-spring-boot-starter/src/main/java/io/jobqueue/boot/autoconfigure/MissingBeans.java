package io.jobqueue.boot.autoconfigure;

import java.util.List;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.transaction.TransactionManager;

/**
 * Says what the application lacks for the queue to work.
 */
final class MissingBeans {

	private MissingBeans() {
	}

	static InvalidSettingException dataSource() {
		return new InvalidSettingException("The job queue needs a DataSource, but there is none.",
				"Configure one, for example with 'spring.datasource.url' (R2DBC alone is not enough),"
						+ " or disable the queue with 'jobqueue.enabled=false'.");
	}

	static InvalidSettingException transactionManager(ListableBeanFactory beanFactory) {
		List<String> reactive = Candidates.names(TransactionManager.class, beanFactory);
		String found = reactive.isEmpty() ? "there is none"
				: "there are only reactive ones, which cannot carry a JDBC transaction: " + String.join(", ", reactive);
		return new InvalidSettingException("The job queue needs a PlatformTransactionManager, but %s.".formatted(found),
				"Declare a JdbcTransactionManager of the queue's DataSource as a bean and enqueue in its transactions;"
						+ " if there are others, mark it with @JobQueueTransactionManager.");
	}

}
