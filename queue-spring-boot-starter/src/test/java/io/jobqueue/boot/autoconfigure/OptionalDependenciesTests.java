package io.jobqueue.boot.autoconfigure;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.context.ContextRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.tracing.Tracer;
import jakarta.persistence.Entity;
import jakarta.validation.Validator;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.RestController;

import io.jobqueue.internal.boot.metrics.JobGauges;
import io.jobqueue.internal.boot.metrics.JobMeters;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs run where everything optional is absent.
 */
class OptionalDependenciesTests extends QueueTestBase {

	private static final Pattern OPTIONAL = Pattern.compile(
			"(HikariCP|context-propagation|micrometer-(core|jakarta9|tracing)|opentelemetry|hibernate|liquibase|tomcat"
					+ "|jakarta\\.(persistence|validation|transaction)|spring-(orm|security|web)"
					+ "|spring-boot-(actuator|flyway|health|hibernate|http|jackson|liquibase|micrometer|opentelemetry"
					+ "|persistence|servlet|starter-(actuator|tomcat|webmvc)|tomcat|validation|test|web))[^/]*\\.jar$");

	private static final List<String> OPTIONAL_CLASSES = List.of(HikariDataSource.class.getName(),
			MeterBinder.class.getName(), Entity.class.getName(), Validator.class.getName(),
			"liquibase.integration.spring.SpringLiquibase", FlywayAutoConfiguration.class.getName(),
			JacksonAutoConfiguration.class.getName(), ContextRegistry.class.getName(),
			SecurityContextHolder.class.getName(), WebEndpoint.class.getName(),
			ConditionalOnEnabledHealthIndicator.class.getName(), Tracer.class.getName(),
			RestController.class.getName());

	@Test
	void metersNeedMicrometer() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(MeterBinder.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(JobGauges.class)
				.doesNotHaveBean(JobMeters.class));
	}

	@Test
	void jobsRunWithoutAnythingOptional() throws Exception {
		try (URLClassLoader bare = new URLClassLoader(bareClassPath(), ClassLoader.getPlatformClassLoader())) {
			assertThat(OPTIONAL_CLASSES).noneMatch((name) -> ClassUtils.isPresent(name, bare));
			Object received = bare.loadClass(BareApplication.class.getName())
				.getMethod("run", ClassLoader.class, String.class, String.class, String.class)
				.invoke(null, bare, this.database.jdbcUrl(), this.database.username(), this.database.password());
			assertThat(received).isEqualTo("world");
		}
	}

	private static URL[] bareClassPath() throws MalformedURLException {
		List<URL> urls = new ArrayList<>();
		for (String entry : StringUtils.delimitedListToStringArray(System.getProperty("java.class.path"),
				File.pathSeparator)) {
			if (!OPTIONAL.matcher(entry).find()) {
				urls.add(Path.of(entry).toUri().toURL());
			}
		}
		return urls.toArray(URL[]::new);
	}

}
