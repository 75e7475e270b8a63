package io.jobqueue.benchmark.subject;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * An application with handlers of one queue, of more if asked to, and the default
 * settings.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ NoOps.class, ManyQueues.class })
class BenchmarkApplication {

	static ConfigurableApplicationContext start(Class<?> more, String url, String... settings) {
		return new SpringApplicationBuilder(BenchmarkApplication.class, more).web(WebApplicationType.NONE)
			.properties("spring.datasource.url=" + url, "logging.level.root=warn", "spring.main.banner-mode=off")
			.properties(settings)
			.run();
	}

}
