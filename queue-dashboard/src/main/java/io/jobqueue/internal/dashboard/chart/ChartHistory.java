package io.jobqueue.internal.dashboard.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.StatisticsStore.StatisticsHistory;
import io.jobqueue.internal.store.StatisticsStore.StatisticsTotal;

/**
 * The statistics of each step of a chart, up to the last one that is complete.
 */
final class ChartHistory {

	private static final String UNKNOWN = "null";

	/**
	 * A pixel of a chart shows less.
	 */
	private static final MathContext DIGITS = new MathContext(3);

	private final ChartRange range;

	private final Instant from;

	private final int unknown;

	private final @Nullable StatisticsTotal[] steps;

	private final Duration[] ages;

	/**
	 * Create a history.
	 * @param range the time that it covers
	 * @param recorded what was recorded in this time
	 * @param age how long the oldest due job has been waiting until now
	 */
	ChartHistory(ChartRange range, StatisticsHistory recorded, Duration age) {
		this.range = range;
		long step = range.step().toSeconds();
		Instant end = Instant.ofEpochSecond(recorded.readAt().getEpochSecond() / step * step);
		this.from = end.minus(range.period());
		Map<Instant, StatisticsTotal> recordedAt = recorded.steps()
			.stream()
			.collect(Collectors.toMap(StatisticsTotal::from, Function.identity()));
		this.steps = new StatisticsTotal[(int) range.period().dividedBy(range.step())];
		Arrays.setAll(this.steps, (index) -> recordedAt.get(begin(index)));
		this.unknown = unknown(recorded.since());
		this.ages = ages(age.minus(Duration.between(end, recorded.readAt())));
	}

	private Instant begin(int index) {
		return this.from.plus(this.range.step().multipliedBy(index));
	}

	/**
	 * Return the number of steps before the first record.
	 */
	private int unknown(@Nullable Instant since) {
		return (int) IntStream.range(0, this.steps.length)
			.filter((index) -> since == null || !begin(index + 1).isAfter(since))
			.count();
	}

	/**
	 * A job that has waited for an hour was there half an hour ago, and half as old,
	 * whether or not a node was alive to record it.
	 */
	private Duration[] ages(Duration atEnd) {
		Duration[] ages = new Duration[this.steps.length];
		Duration least = atEnd;
		for (int index = ages.length - 1; index >= 0; index--) {
			ages[index] = longest(recordedAge(index), least);
			least = ages[index].minus(this.range.step());
		}
		return ages;
	}

	private Duration recordedAge(int index) {
		StatisticsTotal step = this.steps[index];
		Duration age = (step != null) ? step.age() : null;
		return (age != null) ? age : Duration.ZERO;
	}

	private static Duration longest(Duration recorded, Duration least) {
		return (recorded.compareTo(least) > 0) ? recorded : least;
	}

	ChartRange range() {
		return this.range;
	}

	Instant from() {
		return this.from;
	}

	/**
	 * Return counts. Where nothing was recorded, nothing happened, but before the first
	 * record they are unknown.
	 */
	List<String> counts(ToLongFunction<StatisticsTotal> count) {
		return values((index) -> {
			StatisticsTotal step = this.steps[index];
			return (step == null && index < this.unknown) ? UNKNOWN
					: String.valueOf((step != null) ? count.applyAsLong(step) : 0);
		});
	}

	/**
	 * Return ages in seconds. Those below a second are not recorded, and are zero.
	 */
	List<String> ages() {
		return values(
				(index) -> (this.ages[index].isZero() && index < this.unknown) ? UNKNOWN : seconds(this.ages[index]));
	}

	/**
	 * Return run times in seconds. They are unknown where no attempt ended.
	 */
	List<String> runTimes(double share) {
		return values((index) -> {
			StatisticsTotal step = this.steps[index];
			Duration runTime = (step != null) ? step.runTimes().quantile(share) : null;
			return (runTime != null) ? seconds(runTime) : UNKNOWN;
		});
	}

	private List<String> values(IntFunction<String> value) {
		return IntStream.range(0, this.steps.length).mapToObj(value).toList();
	}

	private static String seconds(Duration duration) {
		return BigDecimal.valueOf(duration.toNanos(), 9).round(DIGITS).stripTrailingZeros().toPlainString();
	}

}
