package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.Set;

import org.junit.jupiter.api.Test;

import org.springframework.util.unit.DataSize;

import io.jobqueue.boot.autoconfigure.WorkerProperties.WakeUp;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The names and defaults that users rely on.
 */
class QueuePropertiesTests {

	@Test
	void nodeHasDefaults() {
		QueueProperties properties = BoundSettings.properties();
		assertThat(properties.isEnabled()).isTrue();
		assertThat(properties.getJdbc().getSchema()).isNull();
		assertThat(properties.getJdbc().isMigrate()).isTrue();
		assertThat(properties.getProducer().isRequireTransaction()).isFalse();
		assertThat(properties.getProducer().getMaxPayloadSize()).isEqualTo(DataSize.ofMegabytes(1));
		assertThat(properties.getProducer().getMdcKeys()).isNull();
		assertThat(properties.getProducer().getContextKeys()).isNull();
		assertThat(properties.getReaper().getInterval()).isEqualTo(Duration.ofSeconds(10));
		assertThat(properties.getReaper().getPurgeInterval()).isEqualTo(Duration.ofMinutes(1));
		assertThat(properties.getMetrics().getRefreshInterval()).isEqualTo(Duration.ofSeconds(10));
	}

	@Test
	void workerHasDefaults() {
		WorkerProperties worker = BoundSettings.properties().getWorker();
		assertThat(worker.isEnabled()).isTrue();
		assertThat(worker.getName()).isNull();
		assertThat(worker.getQueues()).isNull();
		assertThat(worker.getPriorities()).isNull();
		assertThat(worker.getPollInterval()).isEqualTo(Duration.ofMillis(500));
		assertThat(worker.getMaxPollInterval()).isEqualTo(Duration.ofSeconds(10));
		assertThat(worker.getHeartbeatInterval()).isEqualTo(Duration.ofSeconds(10));
		assertThat(worker.getTimeout()).isEqualTo(Duration.ofSeconds(60));
		assertThat(worker.getShutdownTimeout()).isEqualTo(Duration.ofSeconds(25));
		assertThat(worker.getWakeUp()).isEqualTo(WakeUp.AUTO);
	}

	@Test
	void queuesHaveDefaults() {
		QueueDefaults defaults = BoundSettings.properties().getDefaults();
		assertThat(defaults.getConcurrency()).isEqualTo(16);
		assertThat(defaults.getPriority()).isEqualTo("user-visible");
		assertThat(defaults.getMaxAttempts()).isEqualTo(25);
		assertThat(defaults.getMaxRunTime()).isEqualTo(Duration.ofMinutes(30));
		assertThat(defaults.getBackoff().getType()).isEqualTo(BackoffProperties.Type.POLYNOMIAL);
		assertThat(defaults.getRetention().getSucceeded()).isEqualTo(Duration.ofHours(24));
		assertThat(defaults.getRetention().getDead()).isNull();
	}

	@Test
	void nodeBinds() {
		QueueProperties properties = BoundSettings.properties("jobqueue.enabled=false", "jobqueue.jdbc.schema=jobs",
				"jobqueue.jdbc.migrate=false", "jobqueue.producer.require-transaction=true",
				"jobqueue.producer.max-payload-size=64KB", "jobqueue.producer.mdc-keys=tenant,user",
				"jobqueue.producer.context-keys=trace", "jobqueue.reaper.interval=3s",
				"jobqueue.reaper.purge-interval=4s", "jobqueue.metrics.refresh-interval=5s");
		assertThat(properties.isEnabled()).isFalse();
		assertThat(properties.getJdbc().getSchema()).isEqualTo("jobs");
		assertThat(properties.getJdbc().isMigrate()).isFalse();
		assertThat(properties.getProducer().isRequireTransaction()).isTrue();
		assertThat(properties.getProducer().getMaxPayloadSize()).isEqualTo(DataSize.ofKilobytes(64));
		assertThat(properties.getProducer().getMdcKeys()).isEqualTo(Set.of("tenant", "user"));
		assertThat(properties.getProducer().getContextKeys()).isEqualTo(Set.of("trace"));
		assertThat(properties.getReaper().getInterval()).isEqualTo(Duration.ofSeconds(3));
		assertThat(properties.getReaper().getPurgeInterval()).isEqualTo(Duration.ofSeconds(4));
		assertThat(properties.getMetrics().getRefreshInterval()).isEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void workerBinds() {
		WorkerProperties worker = BoundSettings.properties("jobqueue.worker.enabled=false", "jobqueue.worker.name=me",
				"jobqueue.worker.queues=a,b", "jobqueue.worker.priorities=0-19", "jobqueue.worker.poll-interval=1s",
				"jobqueue.worker.max-poll-interval=2s", "jobqueue.worker.heartbeat-interval=3s",
				"jobqueue.worker.timeout=9s", "jobqueue.worker.shutdown-timeout=4s", "jobqueue.worker.wake-up=polling")
			.getWorker();
		assertThat(worker.isEnabled()).isFalse();
		assertThat(worker.getName()).isEqualTo("me");
		assertThat(worker.getQueues()).isEqualTo(Set.of("a", "b"));
		assertThat(worker.getPriorities()).isEqualTo("0-19");
		assertThat(worker.getPollInterval()).isEqualTo(Duration.ofSeconds(1));
		assertThat(worker.getMaxPollInterval()).isEqualTo(Duration.ofSeconds(2));
		assertThat(worker.getHeartbeatInterval()).isEqualTo(Duration.ofSeconds(3));
		assertThat(worker.getTimeout()).isEqualTo(Duration.ofSeconds(9));
		assertThat(worker.getShutdownTimeout()).isEqualTo(Duration.ofSeconds(4));
		assertThat(worker.getWakeUp()).isEqualTo(WakeUp.POLLING);
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
		assertThat(settings.queues().settings("any", Set::of).keepDead()).isNull();
	}

}
