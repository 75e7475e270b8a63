package io.jobqueue.boot.autoconfigure;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

import io.jobqueue.boot.properties.JobQueueProperties;
import io.jobqueue.boot.settings.NodeSettings;
import io.jobqueue.boot.settings.SettingKeys;

/**
 * The settings of the application, checked.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(JobQueueProperties.class)
class SettingsConfiguration {

	@Bean
	NodeSettings jobQueueNodeSettings(JobQueueProperties properties, ConfigurableEnvironment environment,
			ListableBeanFactory beanFactory) {
		SettingKeys.check(environment, beanFactory);
		return NodeSettings.of(properties, environment.getProperty("spring.application.name"),
				Threading.VIRTUAL.isActive(environment));
	}

}
