package io.jobqueue.boot.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import io.jobqueue.testpostgres.TestDatabase;

/**
 * An application with meters that are as of now.
 */
abstract class MeterTestBase extends QueueTestBase {

	final ApplicationContextRunner metered = this.contextRunner
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
		.withPropertyValues("jobqueue.metrics.refresh-interval=1ms");

	MeterTestBase() {
	}

	MeterTestBase(TestDatabase ownDatabase) {
		super(ownDatabase);
	}

	static double taggedGauge(ApplicationContext context, String name, String... tags) {
		return context.getBean(MeterRegistry.class).get(name).tags(tags).gauge().value();
	}

	static double gauge(ApplicationContext context, String name, String queue, String priority) {
		return taggedGauge(context, name, "queue", queue, "priority", priority);
	}

}
