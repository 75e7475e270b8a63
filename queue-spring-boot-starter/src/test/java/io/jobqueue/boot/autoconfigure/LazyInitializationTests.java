package io.jobqueue.boot.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.jobqueue.JobQueue;
import io.jobqueue.internal.boot.alert.AlertLoop;
import io.jobqueue.internal.boot.metrics.DatabaseGauges;
import io.jobqueue.internal.boot.metrics.JobGauges;
import io.jobqueue.internal.boot.metrics.JobMeters;
import io.jobqueue.internal.boot.metrics.RecurringGauge;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.maintenance.MaintenanceLoop;
import io.jobqueue.internal.pull.DefaultJobPuller;
import io.jobqueue.internal.recurring.DeclaredSchedules;
import io.jobqueue.internal.signal.RemoteSignals;
import io.jobqueue.internal.worker.JobWorker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Beans that no other bean requests are created all the same.
 */
class LazyInitializationTests extends QueueTestBase {

	private final ApplicationContextRunner lazy = this.contextRunner
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
		.withInitializer(
				(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()));

	@Test
	void jobsOfOtherNodesRun() {
		this.contextRunner.withPropertyValues("jobqueue.worker.enabled=false")
			.run((context) -> context.getBean(JobQueue.class).enqueue(new Greeting("world")));
		this.lazy.withBean(Greetings.class)
			.run((context) -> await().until(() -> context.getBean(Greetings.class).received(),
					(received) -> received.contains("world")));
	}

	@ParameterizedTest
	@ValueSource(classes = { JobWorker.class, DefaultJobPuller.class, MaintenanceLoop.class, RemoteSignals.class,
			JobEvents.class, JobGauges.class, DatabaseGauges.class, JobMeters.class, RecurringGauge.class,
			DeclaredSchedules.class, AlertLoop.class })
	void beanIsNotLazy(Class<?> type) {
		this.lazy.run((context) -> {
			String[] names = context.getBeanNamesForType(type);
			assertThat(names).hasSize(1);
			assertThat(context.getBeanFactory().getBeanDefinition(names[0]).isLazyInit()).isFalse();
		});
	}

	@Test
	void mistakesAreNamedAtStart() {
		this.lazy.withBean(Greetings.class)
			.withPropertyValues("jobqueue.queues.defalt.concurrency=1")
			.run((context) -> assertThat(analyze(context.getStartupFailure()).getDescription()).contains("'defalt'"));
	}

	@Test
	void schedulesAreStoredAndTheirMistakesNamedAtStart() {
		this.lazy.withBean(Greetings.class)
			.withPropertyValues("jobqueue.recurring.hello.type=Greeting", "jobqueue.recurring.hello.cron=0 0 3 * * *")
			.run((context) -> assertThat(
					this.sql.sql("SELECT name FROM jobqueue_recurring").query(String.class).single())
				.isEqualTo("hello"));
		this.lazy.withBean(Greetings.class)
			.withPropertyValues("jobqueue.recurring.hello.type=Greeting", "jobqueue.recurring.hello.cron=daily")
			.run((context) -> assertThat(analyze(context.getStartupFailure()).getDescription())
				.contains("'jobqueue.recurring.hello'"));
	}

	@Test
	void producerSignalsToOtherNodes() {
		this.lazy.withPropertyValues("jobqueue.worker.enabled=false")
			.run((context) -> assertThat(context.getBeanFactory().getSingletonNames())
				.contains("jobQueueRemoteSignals"));
	}

}
