package io.jobqueue.benchmark.transactional;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.SpringInstantiator;
import com.gruelbox.transactionoutbox.SpringTransactionManager;
import com.gruelbox.transactionoutbox.SpringTransactionOutboxConfiguration;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.TransactionOutbox;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * An application of transaction-outbox with Spring's transactions, as its documentation
 * describes it. Its threads are as many as the other systems have. A flush waits while
 * their queue is full: rejected entries would be due again only after two minutes.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(SpringTransactionOutboxConfiguration.class)
class OutboxApplication {

	static final String HANDLER = "purchases";

	private static final int FLUSH = 1_000;

	@Bean(HANDLER)
	JdbcPurchases purchases(JdbcTemplate jdbc) {
		return new JdbcPurchases(jdbc);
	}

	@Bean
	ThreadPoolExecutor threads() {
		return new ThreadPoolExecutor(Purchases.CONNECTIONS, Purchases.CONNECTIONS, 0, TimeUnit.SECONDS,
				new ArrayBlockingQueue<>(FLUSH), OutboxApplication::waitForSpace);
	}

	private static void waitForSpace(Runnable task, ThreadPoolExecutor threads) {
		try {
			threads.getQueue().put(task);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RejectedExecutionException(ex);
		}
	}

	@Bean
	TransactionOutbox outbox(SpringTransactionManager manager, SpringInstantiator instantiator,
			ThreadPoolExecutor threads) {
		return TransactionOutbox.builder()
			.transactionManager(manager)
			.instantiator(instantiator)
			.persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
			.submitter(Submitter.withExecutor(threads))
			.flushBatchSize(FLUSH)
			.build();
	}

}
