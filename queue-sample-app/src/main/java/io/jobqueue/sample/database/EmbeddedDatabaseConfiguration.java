package io.jobqueue.sample.database;

import java.io.IOException;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.sample.SampleProperties;

/**
 * Brings along a database where the application is not given one.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(EmbeddedDatabaseConfiguration.NoUrl.class)
class EmbeddedDatabaseConfiguration {

	@Bean
	SharedServer sharedServer(SampleProperties properties) throws IOException, InterruptedException {
		return SharedServer.join(properties.dataFolder());
	}

	@Bean
	JdbcConnectionDetails jdbcConnectionDetails(SharedServer server) {
		return new SharedServerConnectionDetails(server);
	}

	private record SharedServerConnectionDetails(SharedServer server) implements JdbcConnectionDetails {

		@Override
		public String getJdbcUrl() {
			return this.server.jdbcUrl();
		}

		@Override
		public String getUsername() {
			return Postmaster.USER;
		}

		@Override
		public String getPassword() {
			return "";
		}

	}

	static class NoUrl extends NoneNestedConditions {

		NoUrl() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnProperty("spring.datasource.url")
		static class Url {

		}

	}

}
