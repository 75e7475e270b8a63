package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;

import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.internal.boot.health.AlertStatus;
import io.jobqueue.internal.boot.health.QueueHealthIndicator;
import io.jobqueue.internal.relay.RelayConnector;
import io.jobqueue.internal.relay.RelayTarget;
import io.jobqueue.internal.worker.JobWorker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Health of a node, with its reasons.
 */
class HealthConfigurationTests extends QueueTestBase {

	private final ApplicationContextRunner application = this.contextRunner.withPropertyValues(
			"jobqueue.health.refresh-interval=1ms", "jobqueue.health.start-grace=0s", "jobqueue.worker.name=here");

	@Test
	void workingNodeIsUp() {
		this.application.withBean(Greetings.class).run((context) -> await().untilAsserted(() -> {
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("problems", List.of())
				.containsEntry("node", "here")
				.containsEntry("worker", "running")
				.containsEntry("queues", List.of("default"))
				.containsEntry("wakeUp", "signals")
				.containsEntry("stuckHandlers", Map.of())
				.containsEntry("workers", Map.of("living", 1L, "here", 1L));
			assertThat(health.getDetails().get("lastPoll")).asString().startsWith("20");
		}));
	}

	@Test
	void stoppedWorkerIsDown() {
		this.application.withBean(Greetings.class).run((context) -> {
			context.getBean(JobWorker.class).stop();
			assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
			assertThat(health(context).getDetails()).containsEntry("problems", List.of("The worker is not running"))
				.containsEntry("worker", "stopped");
		});
	}

	@Test
	void nothingIsDownInTheGraceAfterTheStart() {
		this.application.withBean(Greetings.class)
			.withPropertyValues("jobqueue.health.start-grace=1h")
			.run((context) -> {
				context.getBean(JobWorker.class).stop();
				assertThat(health(context).getStatus()).isEqualTo(Status.UP);
				assertThat(health(context).getDetails()).containsEntry("problems",
						List.of("The worker is not running"));
			});
	}

	@Test
	void graceBeginsOnceTheWorkerHasStartedAndEnds() {
		this.application.withBean(Greetings.class)
			.withBean(EarlyProbe.class)
			.withBean(AlertStatus.class, () -> () -> List.of("age of interactive"))
			.withPropertyValues("jobqueue.health.start-grace=100ms", "jobqueue.health.alerts=true")
			.run((context) -> {
				Health early = context.getBean(EarlyProbe.class).health;
				assertThat(early.getStatus()).isEqualTo(Status.UP);
				assertThat(early.getDetails()).containsEntry("problems", List.of("Alert: age of interactive"))
					.containsEntry("worker", "starting");
				await().until(() -> health(context).getStatus(), Status.DOWN::equals);
				context.getBean(JobWorker.class).stop();
				context.getBean(JobWorker.class).start();
				assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
			});
	}

	@Test
	void graceEndsWhereBeansAreLazy() {
		this.application.withBean(Greetings.class)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				context.getBean(JobWorker.class).stop();
				assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
			});
	}

	@Test
	void pollingNodeShowsThatItOnlyPolls() {
		this.application.withBean(Greetings.class)
			.withPropertyValues("jobqueue.worker.wake-up=polling")
			.run((context) -> assertThat(health(context).getDetails()).containsEntry("wakeUp", "polling"));
		this.application.withBean(Greetings.class)
			.run((context) -> await()
				.untilAsserted(() -> assertThat(health(context).getDetails()).containsEntry("wakeUp", "signals")));
	}

	@Test
	void nodeThatOnlyEnqueuesIsUp() {
		this.application.withPropertyValues("jobqueue.worker.enabled=false")
			.run((context) -> assertThat(health(context)).satisfies((health) -> {
				assertThat(health.getStatus()).isEqualTo(Status.UP);
				assertThat(health.getDetails()).containsEntry("worker", "disabled")
					.containsEntry("problems", List.of());
			}));
		this.application.run((context) -> assertThat(health(context)).satisfies((health) -> {
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("worker", "without queues");
		}));
	}

	@Test
	@Tag("slow") // handlers that hang until their time is over
	void queueThatStuckHandlersStopIsDown() {
		CompletableFuture<Void> release = new CompletableFuture<>();
		this.application.withBean(Deaf.class, release)
			.withPropertyValues("jobqueue.defaults.concurrency=1", "jobqueue.defaults.max-run-time=1s",
					"jobqueue.worker.shutdown-timeout=5s")
			.run((context) -> {
				context.getBean(JobQueue.class)
					.enqueueAll(List.of(JobRequest.of(new Greeting("one")), JobRequest.of(new Greeting("two"))));
				await().untilAsserted(() -> {
					Health health = health(context);
					assertThat(health.getStatus()).isEqualTo(Status.DOWN);
					assertThat(health.getDetails()).containsEntry("stuckHandlers", Map.of("default", 2))
						.containsEntry("stoppedQueues", List.of("default"));
				});
				release.complete(null);
				await().until(() -> health(context).getStatus(), Status.UP::equals);
			});
	}

	@Test
	void alertsAffectHealthIfConfigured() {
		ApplicationContextRunner alerting = this.application.withBean(Greetings.class)
			.withBean(AlertStatus.class, () -> () -> List.of("age of interactive"));
		alerting.run((context) -> {
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
			assertThat(health(context).getDetails()).containsEntry("alerts", List.of("age of interactive"));
		});
		alerting.withPropertyValues("jobqueue.health.alerts=true").run((context) -> {
			assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
			assertThat(health(context).getDetails()).containsEntry("problems", List.of("Alert: age of interactive"));
		});
	}

	@Test
	void alertsOfTheApplicationStandBesideOursOrReplaceThem() {
		this.application.withBean("more", AlertStatus.class, () -> List::of)
			.run((context) -> assertThat(context).hasBean("jobQueueAlertStatus").hasBean("more"));
		this.application.withBean("jobQueueAlertStatus", AlertStatus.class, () -> () -> List.of("mine"))
			.run((context) -> {
				assertThat(context).hasSingleBean(AlertStatus.class);
				assertThat(health(context).getDetails()).containsEntry("alerts", List.of("mine"));
			});
	}

	@Test
	void relayWithoutItsBrokerIsAnAlert() {
		RelayTarget target = mock(RelayTarget.class);
		given(target.problem()).willReturn("No broker");
		RelayConnector connector = mock(RelayConnector.class);
		given(connector.kind()).willReturn("memory");
		given(connector.connect(any())).willReturn(target);
		this.application.withBean(RelayConnector.class, () -> connector)
			.withPropertyValues("jobqueue.queues.orders.relay.to=memory", "jobqueue.queues.orders.relay.topic=orders",
					"jobqueue.health.alerts=true", "jobqueue.health.start-grace=0s")
			.run((context) -> {
				assertThat(health(context).getDetails()).containsEntry("alerts", List.of("No broker"));
				assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
			});
	}

	@Test
	void healthCanBeSwitchedOffAndReplaced() {
		this.application.withPropertyValues("management.health.jobqueue.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(QueueHealthIndicator.class));
		ApplicationContextRunner off = this.application.withPropertyValues("management.health.defaults.enabled=false");
		off.run((context) -> assertThat(context).doesNotHaveBean(QueueHealthIndicator.class));
		off.withPropertyValues("management.health.jobqueue.enabled=true")
			.run((context) -> assertThat(context).hasSingleBean(QueueHealthIndicator.class));
		this.application.withBean("jobqueueHealthIndicator", HealthIndicator.class, () -> () -> Health.up().build())
			.run((context) -> assertThat(context).doesNotHaveBean(QueueHealthIndicator.class));
		this.application.withBean("jobqueueHealthContributor", HealthIndicator.class, () -> () -> Health.up().build())
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(QueueHealthIndicator.class));
		this.application.withClassLoader(new FilteredClassLoader(ConditionalOnEnabledHealthIndicator.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(QueueHealthIndicator.class));
	}

	private static Health health(ApplicationContext context) {
		Health health = context.getBean("jobqueueHealthContributor", HealthIndicator.class).health();
		assertThat(health).isNotNull();
		return health;
	}

	/**
	 * Asks before the worker starts, and long after the health was created.
	 */
	static class EarlyProbe implements SmartLifecycle {

		private final ApplicationContext context;

		private Health health = Health.unknown().build();

		EarlyProbe(ApplicationContext context) {
			this.context = context;
		}

		@Override
		public void start() {
			HealthConfigurationTests.health(this.context);
			await().during(Duration.ofMillis(150))
				.until(() -> HealthConfigurationTests.health(this.context).getStatus(), Status.UP::equals);
			this.health = HealthConfigurationTests.health(this.context);
		}

		@Override
		public void stop() {
		}

		@Override
		public boolean isRunning() {
			return false;
		}

	}

	/**
	 * Does not end when interrupted.
	 */
	@JobHandler
	static class Deaf {

		private final CompletableFuture<Void> release;

		Deaf(CompletableFuture<Void> release) {
			this.release = release;
		}

		void handle(Greeting greeting) {
			this.release.join();
		}

	}

}
