package io.jobqueue.boot.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import io.micrometer.context.ContextRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;

import io.jobqueue.JobContext;
import io.jobqueue.JobEvent;
import io.jobqueue.JobHandler;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Interceptors, listeners and context of an application.
 */
class HooksConfigurationTests extends QueueTestBase {

	private final List<String> calls = new CopyOnWriteArrayList<>();

	@AfterEach
	void clear() {
		MDC.clear();
	}

	@Test
	void interceptorsAreCalledInTheirOrder() {
		this.contextRunner.withBean(Greetings.class)
			.withBean("a", Second.class, () -> new Second(this.calls))
			.withBean("b", First.class, () -> new First(this.calls))
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue(new Greeting("world"));
				assertThat(this.calls).startsWith("enqueue 1", "enqueue 2");
				await().until(() -> this.calls.size() == 4);
				assertThat(this.calls).endsWith("run 1", "run 2");
			});
	}

	@Test
	void interceptorMayNeedTheQueue() {
		this.contextRunner.withUserConfiguration(Copying.class)
			.withPropertyValues("jobqueue.worker.enabled=false")
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue("greetings", new Greeting("world"));
				assertThat(this.sql.sql("SELECT queue FROM jobqueue_job ORDER BY queue").query(String.class).list())
					.containsExactly("copies", "greetings");
			});
	}

	@Test
	void listenersReceiveTheEventsOfAJob() {
		this.contextRunner.withBean(Greetings.class).withBean(Listening.class, this.calls).run((context) -> {
			context.getBean(JobQueue.class).enqueue(new Greeting("world"));
			await().until(() -> this.calls.size() == 2);
			assertThat(this.calls).containsExactlyInAnyOrder("JobEnqueued", "JobSucceeded");
		});
	}

	@Test
	void listenersOfTheParentContextAreCalled() {
		try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext()) {
			parent.registerBean(Listening.class, () -> new Listening(this.calls));
			parent.refresh();
			this.contextRunner.withParent(parent).withPropertyValues("jobqueue.worker.enabled=false").run((context) -> {
				context.getBean(JobQueue.class).enqueue(new Greeting("world"));
				await().until(() -> this.calls.contains("JobEnqueued"));
			});
		}
	}

	@Test
	void chosenEntriesOfTheMdcTravel() {
		this.contextRunner.withBean(Looking.class)
			.withPropertyValues("jobqueue.producer.mdc-keys=tenant,user,region", "jobqueue.worker.name=here")
			.run((context) -> {
				MDC.put("tenant", "acme");
				MDC.put("region", "north");
				MDC.put("secret", "stays here");
				context.getBean(JobQueue.class).enqueue(new Greeting("world"));
				Looking looking = context.getBean(Looking.class);
				await().until(() -> !looking.seen.isEmpty());
				assertThat(looking.seen.get(0)).containsEntry("tenant", "acme")
					.containsEntry("region", "north")
					.containsEntry("job.worker", "here")
					.doesNotContainKeys("user", "secret");
			});
	}

	@Test
	void contextKeysNeedTheirLibrary() {
		this.contextRunner.withPropertyValues("jobqueue.producer.context-keys=tenant")
			.withClassLoader(new FilteredClassLoader(ContextRegistry.class))
			.run((context) -> {
				FailureAnalysis analysis = analyze(context.getStartupFailure());
				assertThat(analysis.getDescription()).contains("'jobqueue.producer.context-keys'")
					.contains("io.micrometer:context-propagation");
				assertThat(analysis.getAction()).isEqualTo("Add that dependency, or remove the setting.");
			});
	}

	@Order(1)
	private static final class First extends Noting {

		First(List<String> calls) {
			super("1", calls);
		}

	}

	@Order(2)
	private static final class Second extends Noting {

		Second(List<String> calls) {
			super("2", calls);
		}

	}

	private abstract static class Noting implements JobInterceptor {

		private final String name;

		private final List<String> calls;

		Noting(String name, List<String> calls) {
			this.name = name;
			this.calls = calls;
		}

		@Override
		public List<JobReceipt> aroundEnqueue(List<JobRequest> requests,
				Function<List<JobRequest>, List<JobReceipt>> next) {
			this.calls.add("enqueue " + this.name);
			return next.apply(requests);
		}

		@Override
		public JobResult aroundRun(JobContext job, Callable<JobResult> next) throws Exception {
			this.calls.add("run " + this.name);
			return next.call();
		}

	}

	/**
	 * Enqueues a job of its own for each that it meets.
	 */
	static class Copying implements JobInterceptor {

		private final JobQueue queue;

		Copying(JobQueue queue) {
			this.queue = queue;
		}

		@Override
		public List<JobReceipt> aroundEnqueue(List<JobRequest> requests,
				Function<List<JobRequest>, List<JobReceipt>> next) {
			if (!"copies".equals(requests.get(0).queue())) {
				this.queue.enqueue("copies", new Greeting("copy"));
			}
			return next.apply(requests);
		}

	}

	static class Listening {

		private final List<String> calls;

		Listening(List<String> calls) {
			this.calls = calls;
		}

		@EventListener
		void on(JobEvent event) {
			this.calls.add(event.getClass().getSimpleName());
		}

	}

	/**
	 * Looks at the MDC.
	 */
	@JobHandler
	static class Looking {

		private final List<Map<String, String>> seen = new CopyOnWriteArrayList<>();

		void handle(Greeting greeting) {
			this.seen.add(MDC.getCopyOfContextMap());
		}

	}

}
