package io.jobqueue.internal.boot.settings;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import org.springframework.util.unit.DataSize;

import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.internal.boot.properties.JobQueueProperties;
import io.jobqueue.internal.boot.properties.WorkerProperties;
import io.jobqueue.internal.boot.properties.WorkerProperties.WakeUp;
import io.jobqueue.internal.policy.Backoff;
import io.jobqueue.internal.policy.QueueSettings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The names and defaults that users rely on.
 */
class QueuePropertiesTests {

	@Test
	void nodeHasDefaults() {
		JobQueueProperties properties = BoundSettings.properties();
		assertThat(properties.enabled()).isTrue();
		assertThat(properties.jdbc().schema()).isNull();
		assertThat(properties.jdbc().migrate()).isTrue();
		assertThat(properties.producer().requireTransaction()).isFalse();
		assertThat(properties.producer().maxPayloadSize()).isEqualTo(DataSize.ofMegabytes(1));
		assertThat(properties.producer().mdcKeys()).isEmpty();
		assertThat(properties.producer().contextKeys()).isEmpty();
		assertThat(properties.reaper().interval()).isEqualTo(Duration.ofSeconds(10));
		assertThat(properties.reaper().purgeInterval()).isEqualTo(Duration.ofMinutes(1));
		assertThat(properties.metrics().refreshInterval()).isEqualTo(Duration.ofSeconds(10));
	}

	@Test
	void workerHasDefaults() {
		WorkerProperties worker = BoundSettings.properties().worker();
		assertThat(worker.enabled()).isTrue();
		assertThat(worker.name()).isNull();
		assertThat(worker.queues()).isNull();
		assertThat(worker.priorities()).isNull();
		assertThat(worker.pollInterval()).isEqualTo(Duration.ofMillis(500));
		assertThat(worker.maxPollInterval()).isEqualTo(Duration.ofSeconds(10));
		assertThat(worker.heartbeatInterval()).isEqualTo(Duration.ofSeconds(10));
		assertThat(worker.timeout()).isEqualTo(Duration.ofSeconds(60));
		assertThat(worker.shutdownTimeout()).isEqualTo(Duration.ofSeconds(25));
		assertThat(worker.wakeUp()).isEqualTo(WakeUp.AUTO);
	}

	@Test
	void queuesHaveDefaults() {
		ConfiguredQueues queues = BoundSettings.node().queues();
		QueueSettings settings = queues.settings("any");
		assertThat(settings.concurrency()).isEqualTo(16);
		assertThat(queues.defaultPriority("any")).isEqualTo(Priority.of(PriorityClass.USER_VISIBLE.best()));
		assertThat(settings.maxAttempts()).isEqualTo(25);
		assertThat(settings.maxRunTime()).isEqualTo(Duration.ofMinutes(30));
		assertThat(settings.retryPolicy()).isInstanceOfSatisfying(Backoff.class,
				(backoff) -> assertThat(backoff.delayAfter(2)).isEqualTo(Duration.ofSeconds(21)));
		assertThat(settings.keepSucceeded()).isEqualTo(Duration.ofHours(24));
		assertThat(settings.keepDead()).isNull();
	}

	@Test
	void nodeBinds() {
		JobQueueProperties properties = BoundSettings.properties("jobqueue.enabled=false", "jobqueue.jdbc.schema=jobs",
				"jobqueue.jdbc.migrate=false", "jobqueue.producer.require-transaction=true",
				"jobqueue.producer.max-payload-size=64KB", "jobqueue.producer.mdc-keys=tenant,user",
				"jobqueue.producer.context-keys=trace", "jobqueue.reaper.interval=3s",
				"jobqueue.reaper.purge-interval=4s", "jobqueue.metrics.refresh-interval=5s");
		assertThat(properties.enabled()).isFalse();
		assertThat(properties.jdbc().schema()).isEqualTo("jobs");
		assertThat(properties.jdbc().migrate()).isFalse();
		assertThat(properties.producer().requireTransaction()).isTrue();
		assertThat(properties.producer().maxPayloadSize()).isEqualTo(DataSize.ofKilobytes(64));
		assertThat(properties.producer().mdcKeys()).isEqualTo(Set.of("tenant", "user"));
		assertThat(properties.producer().contextKeys()).isEqualTo(Set.of("trace"));
		assertThat(properties.reaper().interval()).isEqualTo(Duration.ofSeconds(3));
		assertThat(properties.reaper().purgeInterval()).isEqualTo(Duration.ofSeconds(4));
		assertThat(properties.metrics().refreshInterval()).isEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void workerBinds() {
		WorkerProperties worker = BoundSettings.properties("jobqueue.worker.enabled=false", "jobqueue.worker.name=me",
				"jobqueue.worker.queues=a,b", "jobqueue.worker.priorities=0-19", "jobqueue.worker.poll-interval=1s",
				"jobqueue.worker.max-poll-interval=2s", "jobqueue.worker.heartbeat-interval=3s",
				"jobqueue.worker.timeout=9s", "jobqueue.worker.shutdown-timeout=4s", "jobqueue.worker.wake-up=polling")
			.worker();
		assertThat(worker.enabled()).isFalse();
		assertThat(worker.name()).isEqualTo("me");
		assertThat(worker.queues()).isEqualTo(Set.of("a", "b"));
		assertThat(worker.priorities()).isEqualTo("0-19");
		assertThat(worker.pollInterval()).isEqualTo(Duration.ofSeconds(1));
		assertThat(worker.maxPollInterval()).isEqualTo(Duration.ofSeconds(2));
		assertThat(worker.heartbeatInterval()).isEqualTo(Duration.ofSeconds(3));
		assertThat(worker.timeout()).isEqualTo(Duration.ofSeconds(9));
		assertThat(worker.shutdownTimeout()).isEqualTo(Duration.ofSeconds(4));
		assertThat(worker.wakeUp()).isEqualTo(WakeUp.POLLING);
	}

	@Test
	void defaultsInTheMetadataAreThoseThatApply() throws IOException {
		String[] defaults = ConfigurationMetadataTests.properties()
			.stream()
			.map((property) -> (Map<?, ?>) property)
			.filter((property) -> property.get("defaultValue") != null)
			.map((property) -> property.get("name") + "=" + property.get("defaultValue"))
			.toArray(String[]::new);
		JobQueueProperties nothing = BoundSettings.properties();
		assertThat(defaults).contains("jobqueue.defaults.concurrency=16");
		assertThat(BoundSettings.properties(defaults)).usingRecursiveComparison()
			.ignoringFields("alerts", "defaults")
			.isEqualTo(nothing);
		assertThat(ConfiguredAlerts.thresholds(BoundSettings.properties(defaults).alerts()))
			.isEqualTo(ConfiguredAlerts.thresholds(nothing.alerts()));
		assertThat(BoundSettings.node(defaults)).usingRecursiveComparison().isEqualTo(BoundSettings.node());
	}

	/**
	 * What is left empty in YAML arrives as an empty text.
	 */
	@Test
	void emptyMeansDefault() {
		NodeSettings settings = BoundSettings.node("jobqueue.worker.name=", "jobqueue.worker.queues=",
				"jobqueue.worker.priorities=", "jobqueue.defaults.retention.dead=");
		assertThat(settings.served()).isNull();
		assertThat(settings.worker().name()).endsWith(":" + ProcessHandle.current().pid());
		assertThat(settings.worker().minPriority()).isZero();
		assertThat(settings.worker().maxPriority()).isEqualTo(99);
		assertThat(settings.queues().settings("any").keepDead()).isNull();
	}

}
