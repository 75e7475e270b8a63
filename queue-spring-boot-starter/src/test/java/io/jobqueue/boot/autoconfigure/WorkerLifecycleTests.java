package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import io.jobqueue.Delivery;
import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobHandler;
import io.jobqueue.JobOperations;
import io.jobqueue.JobPuller;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.JobSource;
import io.jobqueue.PulledJob;
import io.jobqueue.internal.boot.properties.WorkerProperties.Start;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.store.postgresql.schema.TransactionTimeouts;
import io.jobqueue.internal.worker.JobWorker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * When the worker starts and stops, compared with what its handlers use.
 */
@ExtendWith(OutputCaptureExtension.class)
class WorkerLifecycleTests extends QueueTestBase {

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void workerStartsAfterAllElse(boolean lazy) {
		try (ConfigurableApplicationContext context = run(Application.class,
				"--spring.main.lazy-initialization=" + lazy)) {
			Journal journal = context.getBean(Journal.class);
			assertThat(journal.runningAt).containsOnly(Map.entry("start", false), Map.entry("refreshed", false),
					Map.entry("runner", false), Map.entry("child", false), Map.entry("ready", false),
					Map.entry("ready at last", false));
			assertThat(context.getBean(JobWorker.class).isRunning()).isTrue();
			await().until(() -> states("at-work"), List.of("SUCCEEDED")::equals);
			assertThat(journal.received).containsExactly("run here", "pulled");
		}
	}

	@Test
	void workerThatWasStoppedDoesNotStartWithTraffic() {
		try (ConfigurableApplicationContext context = run(Application.class)) {
			context.getBean(JobWorker.class).stop();
			AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
			assertThat(context.getBean(JobWorker.class).isRunning()).isFalse();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void poolThatIsTooSmallIsRefusedBeforeRunners(boolean asynchronous) {
		List<String> ran = new CopyOnWriteArrayList<>();
		assertThatThrownBy(() -> run(Transfers.class, (context) -> {
			context.registerBean(ApplicationRunner.class, () -> (arguments) -> ran.add("runner"));
			if (asynchronous) {
				context.registerBean("applicationEventMulticaster", SimpleApplicationEventMulticaster.class,
						() -> multicaster(new SimpleAsyncTaskExecutor()));
			}
		}, "--spring.datasource.hikari.maximum-pool-size=2")).isInstanceOf(InvalidConfigurationException.class)
			.hasMessageContaining("at least 3 connections");
		assertThat(ran).isEmpty();
	}

	private static SimpleApplicationEventMulticaster multicaster(Executor executor) {
		SimpleApplicationEventMulticaster multicaster = new SimpleApplicationEventMulticaster();
		multicaster.setTaskExecutor(executor);
		return multicaster;
	}

	@Test
	void lateStartThatFailsIsReportedAndRetried(CapturedOutput output) {
		try (ConfigurableApplicationContext context = run(BrokenApplication.class,
				"--jobqueue.health.start-grace=0s")) {
			assertThat(context.getBean(JobWorker.class).isRunning()).isTrue();
		}
		assertThat(output).contains("The worker could not start; it tries again in 1ms");
	}

	@Test
	void workerStartsWithTheRefreshIfAsked() {
		try (ConfigurableApplicationContext context = run(Application.class, "--jobqueue.worker.start=refreshed")) {
			assertThat(context.getBean(Journal.class).runningAt).containsEntry("start", false)
				.containsEntry("runner", true);
		}
	}

	@Test
	void workerOfPlainContextStartsWithItsRefresh() {
		this.contextRunner.withBean(Journal.class).withBean(Gateway.class).run((context) -> {
			assertThat(context.getBean(Journal.class).runningAt).containsOnly(Map.entry("start", false),
					Map.entry("refreshed", false));
			assertThat(context.getBean(JobWorker.class).isRunning()).isTrue();
		});
	}

	@Test
	void workerStopsBeforeAllElse() {
		Journal journal;
		try (ConfigurableApplicationContext context = run(Application.class)) {
			journal = context.getBean(Journal.class);
			Collection<String> received = journal.received;
			context.getBean(JobQueue.class)
				.enqueue(JobRequest.of("work", "any").type("during-stop").key("at-stop").maxAttempts(1));
			await().until(() -> received.contains("begun"));
		}
		assertThat(journal.runningAt).containsEntry("closed", false).containsEntry("stop", false);
		assertThat(states("at-stop")).containsExactly("SUCCEEDED");
	}

	@Test
	void workerStopsAndStartsWithItsContext() {
		try (ConfigurableApplicationContext context = run(Application.class)) {
			Map<String, Boolean> runningAt = context.getBean(Journal.class).runningAt;
			for (List<Runnable> way : List.<List<Runnable>>of(List.of(context::stop, context::start),
					List.of(context::pause, context::restart))) {
				runningAt.clear();
				way.get(0).run();
				assertThat(context.getBean(JobWorker.class).isRunning()).isFalse();
				way.get(1).run();
				assertThat(context.getBean(JobWorker.class).isRunning()).isTrue();
				assertThat(runningAt).containsOnly(Map.entry("stop", false), Map.entry("start", false));
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "exit", "close" })
	void handlerThatEndsTheApplicationHasFailedAndIsNotAwaited(String way) {
		try (ConfigurableApplicationContext context = run(Application.class)) {
			context.getBean(JobQueue.class).enqueue(JobRequest.of("work", "any").type(way).key(way));
			await().until(() -> this.sql
				.sql("SELECT (attempts, failures, releases)::text FROM jobqueue_job WHERE unique_key = ?")
				.param(way)
				.query(String.class)
				.single(), "(1,1,1)"::equals);
		}
	}

	@Test
	void runnerThatDoesNotReturnIsNamedOnceAndNotAwaited(CapturedOutput output) {
		try (ConfigurableApplicationContext context = run(SlowApplication.class)) {
			assertThat(context.getBean(JobWorker.class).isRunning()).isTrue();
		}
		assertThat(output).containsOnlyOnce(
				"The application is not ready 1ms after the refresh of its context, because io.jobqueue.boot.autoconfigure.WorkerLifecycleTests$SlowApplication.lambda$slow$");
	}

	@ParameterizedTest
	@ValueSource(classes = { FailingStart.class, FailingRunner.class })
	void workerOfFailedApplicationNeverStarts(Class<?> application) {
		assertThatThrownBy(() -> run(application, "--jobqueue.worker.name=failing")).satisfiesAnyOf(
				(ex) -> assertThat(ex).isInstanceOf(NoStartException.class),
				(ex) -> assertThat(ex).hasRootCauseInstanceOf(NoStartException.class));
		assertThat(this.sql.sql("SELECT count(*) FROM jobqueue_worker").query(Long.class).single()).isZero();
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
			.noneMatch((thread) -> thread.getName().startsWith("jobqueue@failing")));
	}

	private ConfigurableApplicationContext run(Class<?> application, String... arguments) {
		return run(application, (context) -> {
		}, arguments);
	}

	private ConfigurableApplicationContext run(Class<?> application,
			ApplicationContextInitializer<GenericApplicationContext> beans, String... arguments) {
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.initializers(beans)
			.logStartupInfo(false)
			.properties(Map.of("spring.main.banner-mode", "off", "spring.datasource.url", this.database.jdbcUrl(),
					"spring.datasource.username", this.database.username(), "spring.datasource.password",
					this.database.password(), "spring.datasource.hikari.maximum-pool-size", 4))
			.run(arguments);
	}

	private List<String> states(String key) {
		return this.sql.sql("SELECT state FROM jobqueue_jobs WHERE unique_key = ?")
			.param(key)
			.query(String.class)
			.list();
	}

	/**
	 * What the worker did at each step of the application, and what handlers received.
	 */
	static class Journal {

		final Map<String, Boolean> runningAt = new ConcurrentHashMap<>();

		private final Collection<String> received = new ConcurrentLinkedQueue<>();

		private final ConfigurableApplicationContext context;

		Journal(ConfigurableApplicationContext context) {
			this.context = context;
		}

		void note(String step) {
			this.runningAt.put(step, this.context.getBean(JobWorker.class).isRunning());
		}

		@EventListener(ContextRefreshedEvent.class)
		void refreshed() {
			note("refreshed");
		}

		@EventListener(ApplicationReadyEvent.class)
		void ready() {
			note("ready");
		}

		@EventListener
		@Order(Ordered.HIGHEST_PRECEDENCE)
		void closed(ContextClosedEvent event) {
			if (event.getApplicationContext() == this.context) {
				note("closed");
			}
		}

	}

	/**
	 * Is called after the listeners that are known when the runner is called.
	 */
	record LastListener(Journal journal) implements ApplicationListener<ApplicationReadyEvent> {

		@Override
		public void onApplicationEvent(ApplicationReadyEvent event) {
			this.journal.note("ready at last");
		}

	}

	/**
	 * Has the default phase.
	 */
	static class Gateway implements SmartLifecycle {

		private final Journal journal;

		private volatile boolean running;

		Gateway(Journal journal) {
			this.journal = journal;
		}

		@Override
		public void start() {
			this.journal.note("start");
			this.running = true;
		}

		@Override
		public void stop() {
			this.journal.note("stop");
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		void send() {
			assertThat(this.running).isTrue();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
			JdbcTemplateAutoConfiguration.class, JdbcClientAutoConfiguration.class, TransactionAutoConfiguration.class,
			JacksonAutoConfiguration.class, JobQueueAutoConfiguration.class })
	static class Parts {

	}

	@Configuration(proxyBeanMethods = false)
	static class Application extends Parts {

		@Bean
		Journal journal(ConfigurableApplicationContext context) {
			return new Journal(context);
		}

		@Bean
		Gateway gateway(Journal journal) {
			return new Gateway(journal);
		}

		@Bean
		ThreadPoolTaskScheduler scheduler() {
			return new ThreadPoolTaskScheduler();
		}

		@Bean
		ThreadPoolTaskExecutor executor() {
			return new ThreadPoolTaskExecutor();
		}

		@Bean
		Handlers handlers(ConfigurableApplicationContext context) {
			return new Handlers(context);
		}

		@Bean
		ApplicationRunner runner(Journal journal, JobQueue queue, JobOperations operations, JobPuller puller,
				ConfigurableApplicationContext context) {
			return (arguments) -> {
				queue.enqueue(JobRequest.of("work", "any").type("after-start").key("at-work").maxAttempts(1));
				JobRequest later = JobRequest.of("work", "run here").type("received").delay(Duration.ofHours(1));
				operations.runHere(queue.enqueue(later).id());
				queue.enqueue(JobRequest.of("pulled", "pulled").type("pulled"));
				try (PulledJob<String> job = puller.tryPull(JobSource.of("pulled", String.class, "pulled"))) {
					journal.received.add(job.payload());
					job.end(JobResult.success());
				}
				AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
				context.addApplicationListener(new LastListener(journal));
				journal.note("runner");
				runChildren(context);
				journal.note("child");
			};
		}

		private static void runChildren(ConfigurableApplicationContext context) {
			try (GenericApplicationContext child = new GenericApplicationContext(context)) {
				child.refresh();
			}
			new SpringApplicationBuilder(Object.class).parent(context).web(WebApplicationType.NONE).run().close();
		}

	}

	/**
	 * Uses what an application may stop.
	 */
	record Handlers(ConfigurableApplicationContext context) {

		@JobHandler(queue = "work", type = "received")
		void receive(String text) {
			this.context.getBean(Journal.class).received.add(text);
		}

		@JobHandler(queue = "work", type = "after-start")
		void afterStart(String text) {
			this.context.getBean(Gateway.class).send();
		}

		@JobHandler(queue = "work", type = "exit")
		void exit(String text) {
			SpringApplication.exit(this.context);
		}

		@JobHandler(queue = "work", type = "close")
		void close(String text) {
			this.context.close();
		}

		@JobHandler(queue = "work", type = "during-stop")
		void duringStop(String text) throws Exception {
			receive("begun");
			await().until(this.context::isClosed);
			this.context.getBean(Gateway.class).send();
			this.context.getBean(ThreadPoolTaskScheduler.class).submit(() -> receive("scheduled")).get();
			this.context.getBean(ThreadPoolTaskExecutor.class).submit(() -> receive("executed")).get();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SlowApplication extends Parts {

		private static final Duration MOMENT = Duration.ofMillis(1);

		final CountDownLatch withinRunner = new CountDownLatch(1);

		private Thread onceWithinRunner(Runnable task) {
			return new Thread(() -> {
				await().until(() -> this.withinRunner.getCount() == 0);
				task.run();
			});
		}

		@Bean
		BeanPostProcessor impatience(ConfigurableApplicationContext context) {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessBeforeInitialization(Object bean, String name) {
					return (bean instanceof WorkerLifecycle) ? new WorkerLifecycle(context.getBean(JobWorker.class),
							context, context.getBean(ConnectionBudget.class)::check, Start.READY,
							new LateStart(SlowApplication.this::onceWithinRunner, MOMENT, MOMENT)) : bean;
				}

			};
		}

		@Bean
		ApplicationRunner slow(JobWorker worker) {
			return (arguments) -> {
				this.withinRunner.countDown();
				await().until(worker::isRunning);
			};
		}

	}

	/**
	 * Its worker cannot start until the health says so.
	 */
	@Configuration(proxyBeanMethods = false)
	static class BrokenApplication extends SlowApplication {

		private final AtomicBoolean broken = new AtomicBoolean(true);

		@Bean
		Handlers handlers(ConfigurableApplicationContext context) {
			return new Handlers(context);
		}

		@Bean
		BeanPostProcessor breakage(ConfigurableApplicationContext context) {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessBeforeInitialization(Object bean, String name) {
					return (bean instanceof ConnectionBudget) ? budget(context) : bean;
				}

			};
		}

		private ConnectionBudget budget(ConfigurableApplicationContext context) {
			NodeSettings settings = context.getBean(NodeSettings.class);
			return new ConnectionBudget(OptionalInt.empty(), 1, TransactionTimeouts.NONE,
					context.getBean(JobHandlers.class), null, (queue) -> {
						assertThat(this.broken).isFalse();
						return settings.queues().settings(queue);
					});
		}

		@Bean
		@Order(0)
		ApplicationRunner probe(ConfigurableApplicationContext context) {
			return (arguments) -> {
				this.withinRunner.countDown();
				HealthIndicator health = context.getBean("jobqueueHealthContributor", HealthIndicator.class);
				await().until(() -> health.health().getStatus(), Status.DOWN::equals);
				assertThat(health.health().getDetails()).containsEntry("problems",
						List.of("The worker has not started; see the log"));
				this.broken.set(false);
			};
		}

	}

	static class Transfers extends Parts {

		@Bean
		TransactionalHandlers transactional() {
			return new TransactionalHandlers();
		}

	}

	static class TransactionalHandlers {

		@JobHandler(queue = "transfers", type = "transfer", delivery = Delivery.TRANSACTIONAL)
		void transfer(String payload) {
		}

		@JobHandler(queue = "refunds", type = "refund", delivery = Delivery.TRANSACTIONAL)
		void refund(String payload) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class FailingStart extends Parts {

		@Bean
		SmartLifecycle failing() {
			return new Gateway(null) {

				@Override
				public void start() {
					throw new NoStartException();
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class FailingRunner extends Parts {

		@Bean
		ApplicationRunner failing() {
			return (arguments) -> {
				throw new NoStartException();
			};
		}

	}

	@SuppressWarnings("serial")
	static class NoStartException extends RuntimeException {

	}

}
