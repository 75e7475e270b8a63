package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobHandlerRegistry;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQuery;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.JobState;
import io.jobqueue.internal.relay.Relay;
import io.jobqueue.internal.relay.RelayConnector;
import io.jobqueue.internal.relay.RelayTarget;
import io.jobqueue.internal.relay.RelayedJob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Relays, with a broker in memory.
 */
class RelayConfigurationTests extends QueueTestBase {

	private final Broker broker = new Broker();

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			kafka  | but the module queue-kafka is not on the class path | Add the dependency 'io.jobqueue:queue-kafka'.
			pigeon | which is no known kind of broker                    | Set it to 'kafka'.
			""")
	void kindWithoutAConnectorIsRefused(String kind, String description, String action) {
		this.contextRunner
			.withPropertyValues("jobqueue.queues.greetings.relay.to=" + kind,
					"jobqueue.queues.greetings.relay.topic=greetings")
			.run((context) -> {
				FailureAnalysis analysis = analyze(context.getStartupFailure());
				assertThat(analysis.getDescription())
					.contains("'jobqueue.queues.greetings.relay.to' is '%s', ".formatted(kind) + description);
				assertThat(analysis.getAction()).isEqualTo(action);
			});
	}

	@Test
	void handlerOfARelayedQueueIsRefused() {
		relaying().withBean(Greetings.class)
			.withPropertyValues("jobqueue.queues.default.relay.to=memory",
					"jobqueue.queues.default.relay.topic=greetings")
			.run((context) -> assertThat(analyze(context.getStartupFailure()).getDescription())
				.contains("'jobqueue.queues.default.relay', and handlers for Greeting"));
	}

	@Test
	void registeredHandlerOfARelayedQueueIsRefused() {
		relaying().run((context) -> {
			JobHandlerRegistry registry = context.getBean(JobHandlerRegistry.class);
			assertThatExceptionOfType(InvalidConfigurationException.class)
				.isThrownBy(
						() -> registry.register("greetings", Greeting.class, (greeting, job) -> JobResult.success()))
				.withMessageContaining("the queue has a relay, 'jobqueue.queues.greetings.relay'");
			registry.register("others", Greeting.class, (greeting, job) -> JobResult.success());
		});
	}

	@ParameterizedTest
	@CsvSource({ "jobqueue.worker.enabled=false", "jobqueue.worker.queues=others",
			"jobqueue.queues.greetings.concurrency=0" })
	void nodeThatDoesNotServeTheQueueDoesNotRelay(String setting) {
		relaying().withPropertyValues(setting).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(this.broker.started).hasValue(0);
		});
	}

	@Test
	void jobsOfAnyTypeAreSentAndSucceed() {
		relaying().run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			List<JobRequest> requests = List.of(JobRequest.of("greetings", new Greeting("world")),
					JobRequest.of("greetings", "hello").type("text"));
			queue.enqueueAll(requests);
			await().untilAsserted(() -> assertThat(this.broker.payloads)
				.containsExactlyInAnyOrder("{\"firstName\":\"world\"}", "\"hello\""));
			await().untilAsserted(
					() -> assertThat(count(context.getBean(JobOperations.class), JobState.SUCCEEDED)).isEqualTo(2));
		});
		assertThat(this.broker.stopped).hasValue(1);
	}

	@Test
	void pausedTypeIsNotSent() {
		relaying().run((context) -> {
			JobOperations operations = context.getBean(JobOperations.class);
			operations.pause("greetings", "text");
			JobQueue queue = context.getBean(JobQueue.class);
			queue.enqueue(JobRequest.of("greetings", "hello").type("text"));
			queue.enqueue(JobRequest.of("greetings", new Greeting("world")));
			await().untilAsserted(() -> assertThat(this.broker.payloads).containsExactly("{\"firstName\":\"world\"}"));
			operations.resume("greetings", "text");
			await().untilAsserted(() -> assertThat(this.broker.payloads).hasSize(2));
		});
	}

	/**
	 * Neither an error of the job nor a claim: the job waits.
	 */
	@Test
	void jobsWaitWhileTheBrokerHasNoCapacity() {
		this.broker.capacity = 0;
		relaying().run((context) -> {
			context.getBean(JobQueue.class).enqueue(JobRequest.of("greetings", new Greeting("world")));
			JobOperations operations = context.getBean(JobOperations.class);
			assertThat(count(operations, JobState.READY)).isOne();
			this.broker.capacity = 9;
			this.broker.freed.run();
			await().untilAsserted(() -> assertThat(count(operations, JobState.SUCCEEDED)).isOne());
		});
	}

	private ApplicationContextRunner relaying() {
		return this.contextRunner.withBean(RelayConnector.class, () -> this.broker)
			.withPropertyValues("jobqueue.queues.greetings.relay.to=memory",
					"jobqueue.queues.greetings.relay.topic=greetings");
	}

	private long count(JobOperations operations, JobState state) {
		return operations.list(JobQuery.all().states(state)).jobs().size();
	}

	/**
	 * Acknowledges each job at once.
	 */
	private static final class Broker implements RelayConnector, RelayTarget {

		private final List<String> payloads = new CopyOnWriteArrayList<>();

		private volatile int capacity = 9;

		private volatile Runnable freed = () -> {
		};

		private final AtomicInteger started = new AtomicInteger();

		private final AtomicInteger stopped = new AtomicInteger();

		@Override
		public String kind() {
			return "memory";
		}

		@Override
		public RelayTarget connect(Relay relay) {
			return this;
		}

		@Override
		public void start(Runnable freed) {
			this.freed = freed;
			this.started.incrementAndGet();
		}

		@Override
		public int capacity() {
			return this.capacity;
		}

		@Override
		public long bytes() {
			return 1_000;
		}

		@Override
		public void send(List<RelayedJob> jobs) {
			jobs.forEach((job) -> {
				this.payloads.add(job.job().payload().text());
				job.acknowledged();
			});
		}

		@Override
		public @Nullable String problem() {
			return null;
		}

		@Override
		public void stop(Duration atMost) {
			this.stopped.incrementAndGet();
		}

	}

}
