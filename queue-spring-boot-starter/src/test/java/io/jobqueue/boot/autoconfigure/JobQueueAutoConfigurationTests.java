package io.jobqueue.boot.autoconfigure;

import java.util.Locale;
import java.util.Arrays;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.util.ClassUtils;

import io.jobqueue.CancelOutcome;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQueue;
import io.jobqueue.PayloadCodec;
import io.jobqueue.boot.EmptyDatabase;
import io.jobqueue.internal.maintenance.MaintenanceLoop;
import io.jobqueue.internal.outbox.Outbox;
import io.jobqueue.internal.signal.RemoteSignals;
import io.jobqueue.internal.worker.JobWorker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

class JobQueueAutoConfigurationTests extends QueueTestBase {

	JobQueueAutoConfigurationTests() {
		super(EmptyDatabase.shared(), EmptyDatabase::clear);
	}

	@Test
	void enqueuedJobRunsOnAWorkerOfTheApplication() {
		this.contextRunner.withBean(Greetings.class)
			.withPropertyValues("spring.application.name=shop")
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue(new Greeting("world"));
				await().until(context.getBean(Greetings.class)::received, (received) -> received.contains("world"));
				assertThat(this.sql.sql("SELECT application FROM jobqueue_worker").query(String.class).list())
					.containsExactly("shop");
			});
	}

	@Test
	void jobRunsWithoutAutoCommit() {
		this.contextRunner.withBean(Greetings.class)
			.withPropertyValues("spring.datasource.hikari.auto-commit=false")
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue(new Greeting("world"));
				await().until(context.getBean(Greetings.class)::received, (received) -> received.contains("world"));
			});
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void handlersRunOnVirtualThreadsWhereTheApplicationWantsThem() {
		assertHandlersRunOn("VirtualThread", "spring.threads.virtual.enabled=true");
	}

	@Test
	@EnabledForJreRange(max = JRE.JAVA_20)
	void handlersRunOnPlatformThreadsWhereThereAreNoOthers() {
		assertHandlersRunOn("Thread", "spring.threads.virtual.enabled=true");
	}

	@Test
	void handlersRunOnPlatformThreadsByDefault() {
		assertHandlersRunOn("Thread");
	}

	private void assertHandlersRunOn(String type, String... properties) {
		this.contextRunner.withBean(Greetings.class).withPropertyValues(properties).run((context) -> {
			context.getBean(JobQueue.class).enqueue(new Greeting("world"));
			await().until(context.getBean(Greetings.class)::threads, (threads) -> !threads.isEmpty());
			assertThat(context.getBean(Greetings.class).threads())
				.allSatisfy((thread) -> assertThat(thread.getClass().getSimpleName()).isEqualTo(type));
		});
	}

	@Test
	void nodeReceivesSignalsOfOtherNodes() {
		this.contextRunner.run((context) -> await().until(context.getBean(RemoteSignals.class)::isConnected));
	}

	@Test
	void pollingNodeDoesNotListen() {
		this.contextRunner.withPropertyValues("jobqueue.worker.wake-up=polling", "jobqueue.worker.name=polling-node")
			.run((context) -> assertThat(threads("polling-node")).contains("jobqueue@polling-node-sender-1")
				.doesNotContain("jobqueue@polling-node-listener-1"));
	}

	@Test
	void nodeWithoutWorkerOnlyEnqueuesAndOperates() {
		this.contextRunner.withBean(Greetings.class)
			.withPropertyValues("jobqueue.worker.enabled=false", "jobqueue.worker.name=producer")
			.run((context) -> {
				assertThat(context).doesNotHaveBean(JobWorker.class).doesNotHaveBean(MaintenanceLoop.class);
				var receipt = context.getBean(JobQueue.class).enqueue(new Greeting("world"));
				assertThat(this.sql.sql("SELECT state FROM jobqueue_jobs").query(String.class).single())
					.isEqualTo("READY");
				assertThat(context.getBean(JobOperations.class).cancel(receipt.id()))
					.isEqualTo(CancelOutcome.CANCELLED);
				assertThat(threads("producer")).containsExactlyInAnyOrder("jobqueue@producer-sender-1",
						"jobqueue@producer-alerts-1");
			});
	}

	@Test
	void queueThatIsSwitchedOffLeavesNothingBehind() {
		this.contextRunner.withPropertyValues("jobqueue.enabled=false").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(ourBeans(context)).isEmpty();
			assertThat(tables()).isEmpty();
		});
	}

	@Test
	void beansOfOursAreRecognised() {
		this.contextRunner.run((context) -> assertThat(ourBeans(context)).contains("jobQueue", "jobQueueWorker")
			.allMatch((name) -> name.toLowerCase(Locale.ROOT).startsWith("jobqueue") || name.contains("io.jobqueue.")));
	}

	@Test
	void jobQueueOfTheApplicationWins() {
		JobQueue own = mock(JobQueue.class);
		this.contextRunner.withBean("own", JobQueue.class, () -> own).run((context) -> {
			assertThat(context).getBean(JobQueue.class).isSameAs(own);
			assertThat(context).doesNotHaveBean(Outbox.class);
		});
	}

	@Test
	void codecOfTheApplicationWins() {
		this.contextRunner.withBean("own", PayloadCodec.class, ShoutingCodec::new)
			.withPropertyValues("jobqueue.worker.enabled=false")
			.run((context) -> {
				assertThat(context.getBean(PayloadCodec.class)).isInstanceOf(ShoutingCodec.class);
				context.getBean(JobQueue.class).enqueue(new Greeting("world"));
				assertThat(this.sql.sql("SELECT payload FROM jobqueue_jobs").query(String.class).single())
					.isEqualTo("GREETING[FIRSTNAME=WORLD]");
			});
	}

	private static String[] threads(String node) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("jobqueue@") && name.contains(node))
			.toArray(String[]::new);
	}

	private static String[] ourBeans(AssertableApplicationContext context) {
		return Arrays.stream(context.getBeanDefinitionNames())
			.filter((name) -> isOurs(context.getType(name)))
			.toArray(String[]::new);
	}

	private static boolean isOurs(Class<?> type) {
		return ClassUtils.getUserClass(type).getName().startsWith("io.jobqueue.");
	}

}
