package io.jobqueue.internal.dashboard.overview;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.jobqueue.JobAlert;
import io.jobqueue.JobAlert.Metric;
import io.jobqueue.QueuePause;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.PauseStore;

/**
 * Reads all that the overview shows. No number is counted beyond a cap, so that the cost
 * does not grow with the tables.
 */
final class OverviewReader {

	private static final int MAX_ROWS = 500;

	private final MonitoringStore monitoring;

	private final PauseStore pauses;

	private final RateReader rates;

	private final WorkerReader workers;

	private final Supplier<List<JobAlert>> alerts;

	/**
	 * Create a reader.
	 * @param monitoring counts jobs; a store of its own, which remembers its last scan
	 * @param pauses reads the pauses
	 * @param rates reads how many jobs arrive and leave
	 * @param workers reads the workers
	 * @param alerts the alerts of this node
	 */
	OverviewReader(MonitoringStore monitoring, PauseStore pauses, RateReader rates, WorkerReader workers,
			Supplier<List<JobAlert>> alerts) {
		this.monitoring = monitoring;
		this.pauses = pauses;
		this.rates = rates;
		this.workers = workers;
		this.alerts = alerts;
	}

	Overview read() {
		List<String> served = this.monitoring.servedQueues();
		GaugeSnapshot jobs = this.monitoring.read(served);
		List<QueuePause> paused = this.pauses.pauses();
		List<JobAlert> raised = this.alerts.get();
		WorkerTable listed = this.workers.read();
		Rates read = this.rates.read();
		List<Problem> problems = ProblemFinder.find(due(jobs.tiers()), served, paused, raised, read.dying(), listed);
		List<QueueRow> rows = new QueueTable(jobs.tiers(), this.monitoring.unresolved(), served, read).rows(read,
				paused, late(raised)::contains);
		return new Overview(problems, first(rows, MAX_ROWS), Math.max(0, rows.size() - MAX_ROWS), !jobs.complete(),
				listed);
	}

	/**
	 * Return the rows that are shown: of too many, those with trouble and those whose
	 * jobs have been waiting longest.
	 */
	static List<QueueRow> first(List<QueueRow> rows, int number) {
		Comparator<QueueRow> order = Comparator.comparing(QueueRow::hasTrouble)
			.thenComparing(QueueRow::oldest, Comparator.nullsFirst(Comparator.naturalOrder()));
		return rows.stream()
			.sorted(order.reversed())
			.limit(number)
			.sorted(Comparator.comparing(QueueRow::subject))
			.toList();
	}

	private static Set<String> due(Collection<TierSnapshot> tiers) {
		return tiers.stream()
			.filter((tier) -> tier.maxAge() != null)
			.map(TierSnapshot::queue)
			.collect(Collectors.toSet());
	}

	private static Set<QueueClass> late(Collection<JobAlert> alerts) {
		Set<QueueClass> late = new HashSet<>();
		alerts.stream()
			.filter((alert) -> alert.metric() == Metric.AGE)
			.forEach((alert) -> late.add(new QueueClass(alert.queue(), alert.priority())));
		return late;
	}

}
