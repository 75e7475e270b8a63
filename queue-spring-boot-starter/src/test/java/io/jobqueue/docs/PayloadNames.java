package io.jobqueue.docs;

import tools.jackson.databind.PropertyNamingStrategies;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.JobJsonMapperCustomizer;

/**
 * Names of payloads as the application's mapper wrote them.
 */
@Configuration(proxyBeanMethods = false)
class PayloadNames {

	@Bean
	JobJsonMapperCustomizer payloadNames() {
		return (json) -> json.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
	}

}
