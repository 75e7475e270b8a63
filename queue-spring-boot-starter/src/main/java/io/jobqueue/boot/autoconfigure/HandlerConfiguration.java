package io.jobqueue.boot.autoconfigure;

import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.PayloadCodec;
import io.jobqueue.handler.JobHandlers;
import io.jobqueue.interceptor.Interceptors;
import io.jobqueue.payload.JacksonPayloadCodec;
import io.jobqueue.payload.JobTypes;

/**
 * The handlers and the payloads that they take.
 */
@Configuration(proxyBeanMethods = false)
class HandlerConfiguration {

	@Bean
	JobTypes jobQueueTypes() {
		return new JobTypes();
	}

	@Bean
	@ConditionalOnMissingBean(PayloadCodec.class)
	JacksonPayloadCodec jobQueuePayloadCodec(ObjectProvider<JsonMapper> jsonMapper) {
		return new JacksonPayloadCodec(jsonMapper.getIfUnique(JsonMapper::new));
	}

	@Bean
	JobHandlers jobQueueHandlers(ConfigurableListableBeanFactory beanFactory, JobTypes types, PayloadCodec codec,
			Interceptors interceptors) {
		return new JobHandlers(beanFactory, types, codec, interceptors);
	}

}
