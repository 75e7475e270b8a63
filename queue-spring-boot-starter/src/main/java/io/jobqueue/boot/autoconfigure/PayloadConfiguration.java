package io.jobqueue.boot.autoconfigure;

import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobJsonMapperCustomizer;
import io.jobqueue.internal.boot.properties.JobQueueProperties;
import io.jobqueue.internal.boot.properties.JobQueueProperties.Payload.Json;
import io.jobqueue.internal.payload.JacksonPayloadCodec;
import io.jobqueue.internal.payload.JsonFailureException;
import io.jobqueue.internal.payload.PayloadMapper;

/**
 * The JSON of payloads.
 */
@Configuration(proxyBeanMethods = false)
class PayloadConfiguration {

	/**
	 * It can always be named by settings, and is never injected in place of a codec of
	 * the application.
	 */
	@Bean(name = ConfiguredCodecs.JSON, autowireCandidate = false)
	JacksonPayloadCodec jobQueueJsonCodec(JobQueueProperties properties, ListableBeanFactory beans) {
		boolean application = properties.payload().json() == Json.APPLICATION;
		JsonMapper.Builder builder = application ? mapper(beans).rebuild() : PayloadMapper.builder();
		if (!application) {
			ApplicationJson.addTo(builder, beans);
		}
		beans.getBeanProvider(JobJsonMapperCustomizer.class)
			.orderedStream()
			.forEach((customizer) -> customizer.customize(builder));
		JacksonPayloadCodec codec = new JacksonPayloadCodec(builder.build());
		if (application) {
			check(codec);
		}
		return codec;
	}

	private static JsonMapper mapper(ListableBeanFactory beans) {
		JsonMapper mapper = beans.getBeanProvider(JsonMapper.class).getIfUnique();
		if (mapper == null) {
			throw new InvalidConfigurationException(
					"'jobqueue.payload.json' is 'application', but the application has no JsonMapper bean, or several of which none is primary.",
					"Mark one of them with @Primary, or set 'jobqueue.payload.json' to 'own'.");
		}
		return mapper;
	}

	/**
	 * With some settings, such as one that unwraps root values and none that wraps them,
	 * no payload is readable.
	 */
	private static void check(JacksonPayloadCodec codec) {
		try {
			codec.decode(codec.encode(new Sample("text", 1)), Sample.class);
		}
		catch (JsonFailureException ex) {
			throw new InvalidConfigurationException(
					"'jobqueue.payload.json' is 'application', but the application's JsonMapper does not read a record that it wrote.",
					"Set 'jobqueue.payload.json' to 'own', or correct the settings under 'spring.jackson': root values that are unwrapped must be wrapped, and getters visible.",
					ex);
		}
	}

	/**
	 * A payload with values that no setting leaves out.
	 *
	 * @param text a text
	 * @param number a number
	 */
	private record Sample(String text, int number) {

	}

}
