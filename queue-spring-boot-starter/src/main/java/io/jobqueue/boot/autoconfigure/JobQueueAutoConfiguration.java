package io.jobqueue.boot.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the job queue.
 */
@AutoConfiguration(after = { DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "jobqueue.enabled", matchIfMissing = true)
@EnableConfigurationProperties(QueueProperties.class)
@Import({ DatabaseConfiguration.class, HandlerConfiguration.class, ProducerConfiguration.class,
		WorkerConfiguration.class })
public final class JobQueueAutoConfiguration {

	/**
	 * Create the auto-configuration.
	 */
	public JobQueueAutoConfiguration() {
	}

	@Bean
	NodeSettings jobQueueNodeSettings(QueueProperties properties, Environment environment) {
		return NodeSettings.of(properties, Threading.VIRTUAL.isActive(environment));
	}

}
