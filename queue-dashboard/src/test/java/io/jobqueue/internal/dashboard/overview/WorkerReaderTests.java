package io.jobqueue.internal.dashboard.overview;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.jobqueue.internal.dashboard.overview.WorkerRow.Pace;
import io.jobqueue.internal.dashboard.overview.WorkerRow.RunningJob;
import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.OverviewStore;
import io.jobqueue.internal.store.OverviewStore.Arrivals;
import io.jobqueue.internal.store.OverviewStore.ListedJob;
import io.jobqueue.internal.store.OverviewStore.ListedWorker;
import io.jobqueue.internal.store.OverviewStore.WorkerList;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is said of workers.
 */
class WorkerReaderTests {

	private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

	@Test
	void jobIsSlowAfterTheSettingOfItsQueueAndStuckAfterItsLease() {
		List<RunningJob> jobs = read(worker("host:1", job("emails", Duration.ofMinutes(3), NOW.plusSeconds(1)),
				job("letters", Duration.ofMinutes(3), NOW.plusSeconds(1)),
				job("quiet", Duration.ofHours(3), NOW.plusSeconds(1)),
				job("letters", Duration.ofMinutes(1), NOW.minusSeconds(1)), job("letters", null, null)))
			.get(0)
			.jobs();
		assertThat(jobs).extracting(RunningJob::pace)
			.containsExactly(Pace.NORMAL, Pace.SLOW, Pace.NORMAL, Pace.STUCK, Pace.NORMAL);
		assertThat(jobs).extracting(RunningJob::age).containsExactly("3m", "3m", "3h", "1m", "");
	}

	@Test
	void handlersHangOnTheWorkerOfThisNode() {
		assertThat(read(worker("host:1"), worker("host:2"))).extracting(WorkerRow::hung)
			.containsExactly(Map.of(), Map.of("emails", 1));
	}

	@Test
	void jobsBeyondTheCapAreCounted() {
		ListedWorker worker = new ListedWorker(UUID.randomUUID(), "host:1", null, NOW, NOW.minusSeconds(7), true,
				List.of(), "", new JobCount(12, false), List.of(job("emails", Duration.ZERO, NOW)));
		assertThat(read(worker).get(0).beyond(10)).isEqualTo(2);
		assertThat(read(worker).get(0).beyond(20)).isZero();
		assertThat(read(worker).get(0).silence()).isEqualTo("7s");
	}

	private static List<WorkerRow> read(ListedWorker... workers) {
		OverviewStore store = new OverviewStore() {

			@Override
			public WorkerList workers() {
				return new WorkerList(List.of(workers), workers.length, NOW);
			}

			@Override
			public Arrivals arrivals() {
				throw new UnsupportedOperationException();
			}

		};
		return new WorkerReader(store, WorkerReaderTests::warnAfter, "host:2", () -> Map.of("emails", 1)).read().rows();
	}

	private static @Nullable Duration warnAfter(String queue) {
		return switch (queue) {
			case "emails" -> Duration.ofMinutes(5);
			case "letters" -> Duration.ofMinutes(2);
			default -> null;
		};
	}

	private static ListedWorker worker(String name, ListedJob... jobs) {
		return new ListedWorker(UUID.randomUUID(), name, null, NOW, NOW, true, List.of(), "",
				new JobCount(jobs.length, false), Arrays.asList(jobs));
	}

	private static ListedJob job(String queue, @Nullable Duration age, @Nullable Instant leaseUntil) {
		return new ListedJob(UUID.randomUUID(), queue, "mail", (age != null) ? NOW.minus(age) : null, leaseUntil);
	}

}
