package io.jobqueue.docs;

import javax.sql.DataSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

import io.jobqueue.JobQueueDataSource;
import io.jobqueue.JobQueueTransactionManager;

/**
 * Jobs in a database of their own.
 */
@Configuration(proxyBeanMethods = false)
class Databases {

	private final Pools pools;

	Databases(Pools pools) {
		this.pools = pools;
	}

	@Bean(defaultCandidate = false)
	@JobQueueDataSource
	DataSource jobs() {
		return this.pools.open("jobs");
	}

	@Bean(defaultCandidate = false)
	@JobQueueTransactionManager
	PlatformTransactionManager jobsTransactionManager(@JobQueueDataSource DataSource jobs) {
		return new JdbcTransactionManager(jobs);
	}

	/**
	 * Opens pools.
	 */
	interface Pools {

		DataSource open(String name);

	}

}
