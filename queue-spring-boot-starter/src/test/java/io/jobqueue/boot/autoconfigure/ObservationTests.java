package io.jobqueue.boot.autoconfigure;

import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.JobType;
import io.jobqueue.observation.DefaultEnqueueObservationConvention;
import io.jobqueue.observation.DefaultRunObservationConvention;
import io.jobqueue.observation.EnqueueObservationContext;
import io.jobqueue.observation.EnqueueObservationConvention;
import io.jobqueue.observation.RunObservationConvention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What an application says about observations.
 */
class ObservationTests extends QueueTestBase {

	private final Collection<String> observed = new ConcurrentLinkedQueue<>();

	private final ApplicationContextRunner application = this.contextRunner.withBean(Greetings.class)
		.withBean(ObservationRegistry.class, this::registry);

	@Test
	void ourConventionsNameObservations() {
		awaitNames(this.application, "jobqueue.send", "jobqueue.process");
	}

	@Test
	void conventionOfTheApplicationNamesWhatIsEnqueued() {
		awaitNames(this.application.withBean(EnqueueObservationConvention.class, MySending::new), "my.send",
				"jobqueue.process");
	}

	@Test
	void conventionOfTheApplicationNamesWhatRuns() {
		awaitNames(this.application.withBean(RunObservationConvention.class, MyProcessing::new), "jobqueue.send",
				"my.process");
	}

	@Test
	void onlyDeclaredNamesAreKeysOfLowCardinality() {
		this.application.withBean(Telexes.class)
			.withBean(EnqueueObservationConvention.class, ShowingKeys::new)
			.withPropertyValues("jobqueue.worker.enabled=false")
			.run((context) -> {
				JobQueue queue = context.getBean(JobQueue.class);
				queue.enqueue("unserved", new Greeting("world"));
				queue.enqueue(new Parcel(7));
				queue.enqueue(JobRequest.of("parcels", "text").type("fax"));
				queue.enqueue(JobRequest.of("parcels", "text").type("telex"));
				assertThat(this.observed).containsExactly("(other) Greeting", "parcels Parcel", "parcels (other)",
						"parcels telex");
			});
	}

	private void awaitNames(ApplicationContextRunner application, String... names) {
		application.run((context) -> {
			context.getBean(JobQueue.class).enqueue(new Greeting("world"));
			await().untilAsserted(() -> assertThat(this.observed).containsExactlyInAnyOrder(names));
		});
	}

	private ObservationRegistry registry() {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new Noting());
		return registry;
	}

	private final class Noting implements ObservationHandler<Observation.Context> {

		@Override
		public void onStop(Observation.Context context) {
			ObservationTests.this.observed.add(String.valueOf(context.getName()));
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

	private static final class MySending extends DefaultEnqueueObservationConvention {

		@Override
		public String getName() {
			return "my.send";
		}

	}

	private static final class ShowingKeys extends DefaultEnqueueObservationConvention {

		@Override
		public KeyValues getLowCardinalityKeyValues(EnqueueObservationContext context) {
			context.setName(context.getQueueTag() + " " + context.getTypeTag());
			return super.getLowCardinalityKeyValues(context);
		}

	}

	@JobType(queue = "parcels")
	record Parcel(long number) {
	}

	@JobHandler(queue = "telexes")
	static class Telexes {

		@JobHandler(type = "telex")
		void print(String text) {
			assertThat(text).isNotEmpty();
		}

	}

	private static final class MyProcessing extends DefaultRunObservationConvention {

		@Override
		public String getName() {
			return "my.process";
		}

	}

}
