package io.jobqueue.internal.dashboard.overview;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.OverviewStore.Arrivals;
import io.jobqueue.internal.store.StatisticsStore.QueueStatistics;
import io.jobqueue.internal.store.StatisticsStore.StatisticsStep;

/**
 * How many jobs arrive and leave per minute, both in the same time: the last five full
 * minutes.
 * <p>
 * Arrivals are counted by the times in the ids of jobs, live and archived. Jobs that are
 * due later arrive when they are enqueued; retries do not arrive. If the latest 10,000
 * jobs cover less than five minutes, both rates are those of the full minutes that they
 * cover; without a full minute, arrivals are those of the time that they cover, and what
 * leaves is that of the last full minute.
 * <p>
 * Jobs leave that succeed, die or are cancelled by a worker. Workers record them once a
 * minute, so that a change shows after a minute or two.
 *
 * @param in the arrivals of queues and priority classes that have had any, {@code null}
 * if unknown
 * @param out what leaves, {@code null} if unknown
 * @param dying the queues of which many jobs have died, by name
 */
record Rates(@Nullable Map<QueueClass, Double> in, @Nullable Map<QueueClass, Double> out, List<DyingQueue> dying) {

	/**
	 * The number of full minutes that are read, and the one that is not over.
	 */
	static final Duration PERIOD = Duration.ofMinutes(6);

	static final Duration STEP = Duration.ofMinutes(1);

	private static final double MILLIS_PER_MINUTE = 60_000;

	static final Rates UNKNOWN = new Rates(null, null, List.of());

	static Rates of(Arrivals arrivals, Collection<StatisticsStep> steps) {
		Instant end = arrivals.to().truncatedTo(ChronoUnit.MINUTES);
		Instant begin = end.equals(arrivals.to()) ? arrivals.from() : end.minus(STEP);
		Map<QueueClass, Double> in = new HashMap<>();
		double arriving = minutes(arrivals.from(), arrivals.to());
		arrivals.jobs().forEach((tier, jobs) -> in.merge(QueueClass.of(tier), jobs / arriving, Double::sum));
		Map<QueueClass, Double> out = new HashMap<>();
		double leaving = minutes(begin, end);
		steps.stream()
			.filter((step) -> step.from().isBefore(end) && !step.from().isBefore(begin))
			.map(StatisticsStep::statistics)
			.forEach((counts) -> out.merge(new QueueClass(counts.queue(), counts.priority()), left(counts) / leaving,
					Double::sum));
		return new Rates(in, out, DyingQueue.of(steps, end.minus(DyingQueue.PERIOD).plus(STEP)));
	}

	private static double minutes(Instant from, Instant to) {
		return Duration.between(from, to).toMillis() / MILLIS_PER_MINUTE;
	}

	static long left(QueueStatistics counts) {
		return counts.succeeded() + counts.dead() + counts.cancelled();
	}

	@Nullable Double in(QueueClass subject) {
		return (this.in != null) ? this.in.getOrDefault(subject, 0.0) : null;
	}

	@Nullable Double out(QueueClass subject) {
		return (this.out != null) ? this.out.getOrDefault(subject, 0.0) : null;
	}

	/**
	 * Return what has any rate, or has had an arrival since.
	 */
	Set<QueueClass> subjects() {
		Set<QueueClass> subjects = new TreeSet<>();
		if (this.in != null) {
			subjects.addAll(this.in.keySet());
		}
		if (this.out != null) {
			subjects.addAll(this.out.keySet());
		}
		return subjects;
	}

}
