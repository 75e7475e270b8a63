package io.jobqueue.boot.autoconfigure;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.ConfigurableEnvironment;

import io.jobqueue.internal.boot.properties.JobQueueProperties;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.boot.settings.UnknownKeyCheck;

/**
 * The settings of the application, checked.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(JobQueueProperties.class)
class SettingsConfiguration {

	/**
	 * Static, as binding of any properties creates it.
	 */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static UnknownKeyCheck jobQueueSettingKeys() {
		return new UnknownKeyCheck();
	}

	@Bean
	NodeSettings jobQueueNodeSettings(JobQueueProperties properties, UnknownKeyCheck keys,
			ConfigurableEnvironment environment, ListableBeanFactory beanFactory) {
		keys.check(environment, beanFactory);
		return NodeSettings.of(properties, environment.getProperty("spring.application.name"),
				Threading.VIRTUAL.isActive(environment));
	}

}
