package io.jobqueue.internal.maintenance;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.internal.logging.RateLimitedLog;
import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.MonitoringStore.CleanupStatus;
import io.jobqueue.internal.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.internal.store.MonitoringStore.TierCounts;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.MonitoringStore.TypeFailures;
import io.jobqueue.internal.store.MonitoringStore.WorkerCount;
import io.jobqueue.internal.store.Tier;

import static org.assertj.core.api.Assertions.assertThat;

class SizeMonitorTests implements MonitoringStore {

	private final CapturedLog log = new CapturedLog();

	private final SizeMonitor monitor = new SizeMonitor(this, 100, this::nanoTime);

	private long now;

	private List<TierSnapshot> tiers = List.of();

	private Map<String, Long> estimates = Map.of();

	@AfterEach
	void close() {
		this.log.close();
	}

	@Test
	void largeQueueIsWarnedOf() {
		this.tiers = List.of(tier("emails", 10, 60), tier("emails", 20, 41), tier("faxes", 10, 100));
		this.monitor.runOnce();
		assertThat(this.log.messages("unfinished jobs"))
			.containsExactly("Queue emails has about 101 unfinished jobs, more than 100 (jobqueue.warnings.jobs)");
		assertThat(this.log.levels("unfinished jobs")).containsExactly("WARN");
	}

	@Test
	void sizeThatIsCappedIsEstimated() {
		this.estimates = Map.of("emails", 5_000L, "faxes", 6_000L, "letters", 50L);
		this.tiers = List.of(capped("emails", 60), tier("faxes", 10, 90), capped("letters", 90));
		this.monitor.runOnce();
		assertThat(this.log.messages("unfinished jobs"))
			.containsExactly("Queue emails has about 5000 unfinished jobs, more than 100 (jobqueue.warnings.jobs)");
	}

	@Test
	void warningIsRepeatedEveryHour() {
		this.tiers = List.of(tier("emails", 10, 200));
		this.monitor.runOnce();
		this.now = RateLimitedLog.INTERVAL.toNanos() - 1;
		this.monitor.runOnce();
		assertThat(this.log.messages("unfinished jobs")).hasSize(1);
		this.now = RateLimitedLog.INTERVAL.toNanos();
		this.monitor.runOnce();
		assertThat(this.log.messages("unfinished jobs")).hasSize(2);
	}

	@Test
	void whatCouldNotBeCountedIsLeftOut() {
		this.tiers = List.of(new TierSnapshot("emails", 10, 0, 0, Duration.ZERO, null), tier("emails", 20, 100));
		this.monitor.runOnce();
		assertThat(this.log.messages("unfinished jobs")).isEmpty();
	}

	@Test
	void thresholdOfZeroWarnsOfNothing() {
		this.tiers = List.of(tier("emails", 10, 200));
		new SizeMonitor(this, 0, this::nanoTime).runOnce();
		assertThat(this.log.messages("unfinished jobs")).isEmpty();
	}

	private long nanoTime() {
		return this.now;
	}

	private static TierSnapshot tier(String queue, int priority, long jobs) {
		JobCount none = new JobCount(0, false);
		return new TierSnapshot(queue, priority, 0, 0, null,
				new TierCounts(none, new JobCount(jobs - 1, false), new JobCount(1, false), none, none));
	}

	private static TierSnapshot capped(String queue, long jobs) {
		JobCount none = new JobCount(0, false);
		return new TierSnapshot(queue, 10, 0, 0, null,
				new TierCounts(none, new JobCount(jobs, true), none, none, none));
	}

	@Override
	public Map<String, Long> estimatedSizes() {
		return this.estimates;
	}

	@Override
	public GaugeSnapshot scan(Collection<String> queues) {
		throw new UnsupportedOperationException();
	}

	@Override
	public GaugeSnapshot read(Collection<String> queues) {
		return new GaugeSnapshot(this.tiers, true, Set.of());
	}

	@Override
	public List<TypeFailures> failuresByType(Collection<Tier> tiers) {
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
	public Unresolved unresolved() {
		throw new UnsupportedOperationException();
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

	@Override
	public List<String> servedQueues() {
		return List.of("emails");
	}

}
