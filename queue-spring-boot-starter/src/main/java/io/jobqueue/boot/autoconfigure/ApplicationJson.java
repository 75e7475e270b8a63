package io.jobqueue.boot.autoconfigure;

import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.util.ClassUtils;

import io.jobqueue.internal.payload.PayloadMapper;

/**
 * What the application adds to the mapper of payloads: its modules, among them Spring
 * Boot's with the mix-ins and components, and its customizers. Spring Boot's own
 * customizers are left out: they apply {@code spring.jackson}, which is for the JSON that
 * the application sends and receives. So may the application's: what they set for names,
 * left out values, visibility and dates does not apply.
 */
final class ApplicationJson {

	private static final boolean SPRING_BOOT = ClassUtils.isPresent(
			"org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer",
			ApplicationJson.class.getClassLoader());

	private ApplicationJson() {
	}

	static void addTo(JsonMapper.Builder builder, ListableBeanFactory beans) {
		builder.addModules(beans.getBeanProvider(JacksonModule.class).orderedStream().toList());
		if (SPRING_BOOT) {
			Customizers.addTo(builder, beans);
			PayloadMapper.withSettings(builder);
		}
	}

	/**
	 * Is only loaded with Spring Boot's module for Jackson.
	 */
	private static final class Customizers {

		private static void addTo(JsonMapper.Builder builder, ListableBeanFactory beans) {
			beans.getBeanProvider(JsonMapperBuilderCustomizer.class)
				.orderedStream()
				.filter((customizer) -> !customizer.getClass()
					.getName()
					.startsWith(JacksonAutoConfiguration.class.getName()))
				.forEach((customizer) -> customizer.customize(builder));
		}

	}

}
