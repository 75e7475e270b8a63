package io.jobqueue.internal.kafka;

import java.util.Arrays;
import java.util.stream.Stream;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * An application in this JVM.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class KafkaApplication {

	/**
	 * The line that is printed when the application has started.
	 */
	public static final String STARTED = "The application has started";

	/**
	 * Run in this JVM.
	 * @param settings the settings
	 * @return the application
	 */
	public static ConfigurableApplicationContext run(String... settings) {
		return run(KafkaApplication.class, settings);
	}

	/**
	 * Run another application in this JVM.
	 * @param application its configuration
	 * @param settings the settings
	 * @return the application
	 */
	public static ConfigurableApplicationContext run(Class<?> application, String... settings) {
		String[] common = { "spring.main.banner-mode=off", "jobqueue.defaults.backoff.type=fixed",
				"jobqueue.defaults.backoff.delay=200ms", "jobqueue.worker.shutdown-timeout=5s" };
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.properties(Stream.of(common, settings).flatMap(Arrays::stream).toArray(String[]::new))
			.run();
	}

}
