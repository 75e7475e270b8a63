package io.jobqueue.test;

import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

/**
 * A database of its own for each context.
 */
@Configuration(proxyBeanMethods = false)
public class TestDatabaseConfiguration {

	@Bean(destroyMethod = "close")
	TestDatabase database() {
		return TestPostgres.freshDatabase();
	}

	@Bean
	JdbcConnectionDetails connectionDetails(TestDatabase database) {
		return new JdbcConnectionDetails() {

			@Override
			public String getUsername() {
				return database.username();
			}

			@Override
			public String getPassword() {
				return database.password();
			}

			@Override
			public String getJdbcUrl() {
				return database.jdbcUrl();
			}

		};
	}

}
