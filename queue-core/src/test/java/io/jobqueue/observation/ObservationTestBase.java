package io.jobqueue.observation;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.MailHandler;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keeps what is observed of jobs.
 */
abstract class ObservationTestBase extends NodeTestBase {

	static final JobRequest MAIL = JobRequest.of("emails", new Mail("hi"));

	final Recording recording = new Recording();

	final ObservationRegistry registry = ObservationRegistry.create();

	@BeforeAll
	void listen() {
		this.registry.observationConfig().observationHandler(this.recording);
	}

	@BeforeEach
	void forget() {
		this.recording.contexts.clear();
		this.recording.headers = Map.of("traceparent", "00-1-2-01");
	}

	QueueNode producing() {
		return node(settings().observations(this.registry));
	}

	QueueNode working(MailHandler.Behaviour behaviour) {
		return started((settings) -> settings.observations(this.registry).bean(new MailHandler(behaviour)));
	}

	static Map<String, String> keys(KeyValues values) {
		return values.stream().collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue));
	}

	/**
	 * Keeps what was observed, and writes headers as a tracer does.
	 */
	static final class Recording implements ObservationHandler<Observation.Context> {

		final List<Observation.Context> contexts = new CopyOnWriteArrayList<>();

		volatile Map<String, String> headers = Map.of();

		@Override
		public void onStart(Observation.Context context) {
			if (context instanceof EnqueueObservationContext sender) {
				this.headers.forEach((name, value) -> sender.getSetter().set(sender.getCarrier(), name, value));
			}
		}

		@Override
		public void onStop(Observation.Context context) {
			this.contexts.add(context);
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

		EnqueueObservationContext enqueued() {
			assertThat(this.contexts).hasSize(1);
			return (EnqueueObservationContext) this.contexts.get(0);
		}

		List<RunObservationContext> runs() {
			return this.contexts.stream()
				.filter(RunObservationContext.class::isInstance)
				.map(RunObservationContext.class::cast)
				.toList();
		}

	}

}
