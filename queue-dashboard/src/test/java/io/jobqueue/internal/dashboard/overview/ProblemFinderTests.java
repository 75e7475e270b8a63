package io.jobqueue.internal.dashboard.overview;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobAlert;
import io.jobqueue.JobAlert.Metric;
import io.jobqueue.PriorityClass;
import io.jobqueue.QueuePause;
import io.jobqueue.internal.dashboard.overview.WorkerRow.Pace;
import io.jobqueue.internal.dashboard.overview.WorkerRow.RunningJob;
import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.OverviewStore.ListedJob;
import io.jobqueue.internal.store.OverviewStore.ListedWorker;
import io.jobqueue.internal.store.RunTimes;
import io.jobqueue.internal.store.StatisticsStore.QueueStatistics;
import io.jobqueue.internal.store.StatisticsStore.StatisticsStep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

/**
 * What is wrong, in words.
 */
class ProblemFinderTests {

	private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

	private static final WorkerTable WELL = new WorkerTable(List.of(worker(true, Map.of(), Pace.NORMAL)), 1);

	@Test
	void dueJobsAreNoProblem() {
		assertThat(ProblemFinder.find(List.of("emails"), List.of("emails"), List.of(), List.of(), List.of(), WELL))
			.isEmpty();
	}

	@Test
	void queueWithDueJobsAndNoWorkerIsOne() {
		assertThat(ProblemFinder.find(List.of("reports", "emails", "faxes"), List.of("emails"), List.of(), List.of(),
				List.of(), WELL))
			.extracting(Problem::text, Problem::path)
			.containsExactly(tuple("No living worker serves queue faxes", "/workers"),
					tuple("No living worker serves queue reports", "/workers"));
	}

	@Test
	void pausedQueueNeedsNoWorker() {
		List<Problem> problems = ProblemFinder.find(List.of("faxes", "reports"), List.of(),
				List.of(pause("faxes", null, "alice", "no paper"), pause("reports", "monthly", null, null)), List.of(),
				List.of(), WELL);
		assertThat(problems).extracting(Problem::text)
			.containsExactly("No living worker serves queue reports",
					"Queue faxes was paused by alice, because: no paper", "Type monthly of queue reports was paused");
		assertThat(problems.get(1).since()).isEqualTo(NOW);
		assertThat(problems.get(1).path()).isEqualTo("/pauses");
	}

	@Test
	void alertsSayTheirValueAndLimit() {
		List<JobAlert> alerts = List.of(alert(Metric.AGE, null, 252.4, 60), alert(Metric.RUN_TIME, "import", 90, 30),
				alert(Metric.ATTEMPTS, null, 7, 3), alert(Metric.ATTEMPTS, null, 1, 1),
				alert(Metric.AGE, null, 0.0004, 0.25));
		assertThat(ProblemFinder.find(List.of(), List.of(), List.of(), alerts, List.of(), WELL))
			.extracting(Problem::text, Problem::path)
			.containsExactly(
					tuple("e&mails/user-visible is 4m 12s late (limit 1m)", "/jobs?queue=e%26mails&state=READY"),
					tuple("A handler of e&mails/user-visible, type import, has run for 1m 30s (limit 30s)", "/workers"),
					tuple("A job of e&mails/user-visible has failed 7 times (limit 3)",
							"/jobs?queue=e%26mails&state=RETRYING"),
					tuple("A job of e&mails/user-visible has failed 1 time (limit 1)",
							"/jobs?queue=e%26mails&state=RETRYING"),
					tuple("e&mails/user-visible is less than 1s late (limit 250ms)",
							"/jobs?queue=e%26mails&state=READY"));
	}

	/**
	 * The statistics of one minute too early do not count, nor does a few.
	 */
	@Test
	void queueWhoseJobsDieIsAProblem() {
		List<DyingQueue> dying = DyingQueue.of(List.of(ended("e&mails", 0, 11, 1_000), ended("e&mails", 1, 1, 1_200),
				ended("e&mails", 5, 0, 300), ended("few", 1, 0, 2), ended("large", 2, 28, 3)), NOW.plusSeconds(60));
		assertThat(ProblemFinder.find(List.of("faxes"), List.of(), List.of(pause("faxes", "x", null, null)), List.of(),
				dying, WELL))
			.extracting(Problem::text, Problem::path)
			.startsWith(tuple("No living worker serves queue faxes", "/workers"),
					tuple("e&mails: 1,500 of 1,501 jobs died in the last 5 minutes", "/dead?queue=e%26mails"))
			.hasSize(3);
	}

	private static StatisticsStep ended(String queue, int minute, long succeeded, long dead) {
		return new StatisticsStep(NOW.plusSeconds(60L * minute),
				new QueueStatistics(queue, PriorityClass.USER_VISIBLE, succeeded, 0, dead, 0, RunTimes.NONE), null);
	}

	@Test
	void stuckAndSlowHandlersAndSilentWorkersAreCounted() {
		WorkerTable workers = new WorkerTable(List.of(worker(false, Map.of(), Pace.STUCK, Pace.SLOW),
				worker(true, Map.of("emails", 2), Pace.SLOW, Pace.NORMAL)), 2);
		assertThat(ProblemFinder.find(List.of(), List.of(), List.of(), List.of(), List.of(), workers))
			.extracting(Problem::text)
			.containsExactly("1 worker sends no heartbeat", "3 handlers are stuck", "2 handlers are slow");
	}

	private static QueuePause pause(String queue, @Nullable String type, @Nullable String by, @Nullable String reason) {
		return new QueuePause(queue, type, NOW, by, reason);
	}

	private static JobAlert alert(Metric metric, @Nullable String type, double value, double threshold) {
		return new JobAlert("e&mails", PriorityClass.USER_VISIBLE, metric, type, value, threshold, NOW);
	}

	private static WorkerRow worker(boolean living, Map<String, Integer> hung, Pace... paces) {
		ListedWorker worker = new ListedWorker(UUID.randomUUID(), "host:1", null, NOW, NOW, living, List.of(), "",
				new JobCount(paces.length, false), List.of());
		ListedJob job = new ListedJob(UUID.randomUUID(), "emails", "mail", NOW, null);
		return new WorkerRow(worker, List.of(paces).stream().map((pace) -> new RunningJob(job, pace, NOW)).toList(),
				hung, NOW);
	}

}
