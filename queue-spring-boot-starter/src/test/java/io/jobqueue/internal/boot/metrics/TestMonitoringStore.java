package io.jobqueue.internal.boot.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;

import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.MonitoringStore.CleanupStatus;
import io.jobqueue.internal.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.MonitoringStore.TypeFailures;
import io.jobqueue.internal.store.MonitoringStore.Unresolved;
import io.jobqueue.internal.store.MonitoringStore.WorkerCount;
import io.jobqueue.internal.store.Tier;

/**
 * {@link MonitoringStore} whose content tests set.
 */
public class TestMonitoringStore implements MonitoringStore {

	/**
	 * The tiers.
	 */
	public final List<TierSnapshot> tiers = new ArrayList<>();

	/**
	 * The failures by type.
	 */
	public final List<TypeFailures> failures = new ArrayList<>();

	/**
	 * The served queues.
	 */
	public final List<String> served = new ArrayList<>();

	/**
	 * What does not end without an operator.
	 */
	public @Nullable Unresolved unresolved = new Unresolved(List.of(), true, Map.of(), true, Duration.ZERO);

	/**
	 * Whether a snapshot has all queues.
	 */
	public boolean complete = true;

	/**
	 * Whether an incomplete snapshot has all requested queues.
	 */
	public boolean known = true;

	/**
	 * Whether each call fails.
	 */
	public boolean isDown;

	/**
	 * Whether reading the failures by type takes too long.
	 */
	public boolean typesAreUnreadable;

	@Override
	public GaugeSnapshot scan(Collection<String> queues) {
		return read(queues);
	}

	@Override
	public GaugeSnapshot read(Collection<String> queues) {
		return new GaugeSnapshot(answer(this.tiers), this.complete, this.known ? Set.copyOf(queues) : Set.of());
	}

	@Override
	public List<TypeFailures> failuresByType(Collection<Tier> tiers) {
		if (this.typesAreUnreadable) {
			throw new QueryTimeoutException("The database took too long");
		}
		return answer(this.failures);
	}

	@Override
	public List<String> servedQueues() {
		return answer(this.served);
	}

	@Override
	public Map<String, Long> estimatedSizes() {
		throw new UnsupportedOperationException();
	}

	@Override
	public WorkerCount workers(String name) {
		throw new UnsupportedOperationException();
	}

	@Override
	public long waitingForFailed() {
		return 0;
	}

	@Override
	public @Nullable Unresolved unresolved() {
		return this.unresolved;
	}

	@Override
	public List<String> tables() {
		throw new UnsupportedOperationException();
	}

	@Override
	public long changes() {
		throw new UnsupportedOperationException();
	}

	@Override
	public CleanupStatus cleanup() {
		throw new UnsupportedOperationException();
	}

	private <T> List<T> answer(List<T> known) {
		if (this.isDown) {
			throw new DataAccessResourceFailureException("The database is down");
		}
		return List.copyOf(known);
	}

}
