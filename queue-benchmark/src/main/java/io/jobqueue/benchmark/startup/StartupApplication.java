package io.jobqueue.benchmark.startup;

import java.lang.management.ManagementFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.jobqueue.benchmark.subject.NoOps;

/**
 * A web application with a pool, a Flyway of its own and handlers. It prints how long it
 * took to start, and ends.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(NoOps.class)
class StartupApplication {

	static final String READY = "ready after ms: ";

	/**
	 * Start and end.
	 * @param args settings, as arguments of a Spring Boot application
	 */
	public static void main(String[] args) {
		ConfigurableApplicationContext context = SpringApplication.run(StartupApplication.class, args);
		System.out.println(READY + ManagementFactory.getRuntimeMXBean().getUptime());
		context.close();
	}

}
