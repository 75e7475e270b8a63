package io.jobqueue.internal.boot.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessResourceFailureException;

import io.jobqueue.internal.store.MonitoringStore.CleanupStatus;
import io.jobqueue.internal.store.MonitoringStore.SnapshotHolder;

import static org.assertj.core.api.Assertions.assertThat;

class DatabaseGaugesTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private @Nullable CleanupStatus reading;

	@Test
	void holderOfTheOldestSnapshotIsShown() {
		bind(new SnapshotHolder("reporting", 4711, "100", Duration.ofMillis(1500)));
		assertThat(value("snapshot.age")).isEqualTo(1.5);
		assertThat(value("snapshot.pid")).isEqualTo(4711);
		assertThat(value("dead.rows")).isEqualTo(42);
	}

	@Test
	void noHolderIsZero() {
		bind(null);
		assertThat(value("snapshot.age")).isZero();
		assertThat(value("snapshot.pid")).isZero();
	}

	@Test
	void whatIsHiddenIsNaN() {
		bind(new SnapshotHolder("reporting", null, "100", null));
		assertThat(value("snapshot.age")).isNaN();
		assertThat(value("snapshot.pid")).isNaN();
	}

	@Test
	void databaseThatDoesNotAnswerIsNaN() {
		new DatabaseGauges(List.of("jobqueue_job"), this::cleanup,
				new CachedValue.Factory(new TestClock(), Duration.ofSeconds(10), Runnable::run))
			.bindTo(this.registry);
		assertThat(value("snapshot.age")).isNaN();
		assertThat(value("snapshot.pid")).isNaN();
		assertThat(value("dead.rows")).isNaN();
	}

	@Test
	void gaugesLiveAsLongAsTheirRegistry() {
		bind(null);
		GarbageCollection.run();
		assertThat(value("snapshot.age")).isZero();
	}

	private void bind(@Nullable SnapshotHolder holder) {
		this.reading = new CleanupStatus(holder, Map.of("jobqueue_job", 42L));
		new DatabaseGauges(List.of("jobqueue_job"), this::cleanup,
				new CachedValue.Factory(new TestClock(), Duration.ofSeconds(10), Runnable::run))
			.bindTo(this.registry);
	}

	private double value(String name) {
		return this.registry.get("jobqueue.database." + name).gauge().value();
	}

	private CleanupStatus cleanup() {
		if (this.reading == null) {
			throw new DataAccessResourceFailureException("The database is down");
		}
		return this.reading;
	}

}
