package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.jobqueue.JobPuller;
import io.jobqueue.JobQueue;
import io.jobqueue.JobResult;
import io.jobqueue.PulledJob;
import io.jobqueue.internal.pull.DefaultJobPuller;
import io.jobqueue.internal.signal.RemoteSignals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * Pulling in an application.
 */
class PullConfigurationTests extends QueueTestBase {

	private final ApplicationContextRunner withoutWorker = this.contextRunner.withPropertyValues(
			"jobqueue.worker.enabled=false", "jobqueue.worker.poll-interval=20s",
			"jobqueue.worker.max-poll-interval=20s");

	@Test
	void jobIsPulledWhereThereIsAWorker() {
		this.contextRunner.run(PullConfigurationTests::assertPulls);
	}

	@Test
	void jobIsPulledWhereThereIsNoWorker() {
		this.withoutWorker.run(PullConfigurationTests::assertPulls);
	}

	private static void assertPulls(AssertableApplicationContext context) {
		context.getBean(JobQueue.class).enqueue(new Greeting("world"));
		PulledJob<Greeting> job = context.getBean(JobPuller.class).tryPull("default", Greeting.class);
		assertThat(job).isNotNull();
		assertThat(job.payload()).isEqualTo(new Greeting("world"));
		job.end(JobResult.success());
	}

	/**
	 * Long before it would poll.
	 */
	@Test
	void nodeWithoutWorkerReceivesSignalsOnceItPulls() {
		this.withoutWorker.run((context) -> {
			RemoteSignals signals = context.getBean(RemoteSignals.class);
			JobPuller puller = context.getBean(JobPuller.class);
			FutureTask<PulledJob<Greeting>> pull = new FutureTask<>(
					() -> puller.pull("default", Greeting.class, Duration.ofSeconds(30)));
			assertThat(signals.isConnected()).isFalse();
			new Thread(pull).start();
			await().until(signals::isConnected);
			this.withoutWorker.run((other) -> other.getBean(JobQueue.class).enqueue(new Greeting("world")));
			PulledJob<Greeting> job = pull.get(30, TimeUnit.SECONDS);
			assertThat(job).isNotNull();
			job.end(JobResult.success());
		});
	}

	@Test
	void pollingNodeDoesNotListenWhenItPulls() {
		this.withoutWorker.withPropertyValues("jobqueue.worker.wake-up=polling", "jobqueue.worker.name=polling-puller")
			.run((context) -> {
				assertThat(context.getBean(JobPuller.class).tryPull("default", Greeting.class)).isNull();
				assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
					.contains("jobqueue@polling-puller-sender-1")
					.doesNotContain("jobqueue@polling-puller-listener-1");
			});
	}

	@Test
	void pullerOfTheApplicationWins() {
		JobPuller own = mock(JobPuller.class);
		this.contextRunner.withBean("own", JobPuller.class, () -> own).run((context) -> {
			assertThat(context).getBean(JobPuller.class).isSameAs(own);
			assertThat(context).doesNotHaveBean(DefaultJobPuller.class);
		});
	}

}
