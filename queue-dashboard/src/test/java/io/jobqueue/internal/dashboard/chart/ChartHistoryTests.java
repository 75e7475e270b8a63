package io.jobqueue.internal.dashboard.chart;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.jobqueue.internal.store.RunTimes;
import io.jobqueue.internal.store.StatisticsStore.StatisticsHistory;
import io.jobqueue.internal.store.StatisticsStore.StatisticsTotal;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is drawn of minutes in which nothing was recorded.
 */
class ChartHistoryTests {

	private static final Instant END = Instant.parse("2026-11-28T12:00:00Z");

	private static final Instant NOW = END.plusSeconds(20);

	private static final Instant LONG_AGO = END.minus(Duration.ofDays(1));

	@Test
	void minutesUntilTheCurrentOneAreShown() {
		ChartHistory history = history(LONG_AGO, 0, step(0, 7, null), step(1, 5, null), step(60, 3, null),
				step(61, 1, null));
		assertThat(history.from()).isEqualTo(END.minus(Duration.ofHours(1)));
		assertThat(history.counts(StatisticsTotal::succeeded)).hasSize(60).startsWith("3").endsWith("0", "5");
	}

	@Test
	void countsAreZeroSinceTheFirstRecordAndUnknownBefore() {
		ChartHistory history = history(END.minusSeconds(100), 0, step(1, 5, null));
		assertThat(last(4, history.counts(StatisticsTotal::succeeded))).containsExactly("null", "null", "0", "5");
		assertThat(last(4, history.ages())).containsExactly("null", "null", "0", "0");
	}

	@Test
	void nothingIsKnownWithoutARecord() {
		ChartHistory history = history(null, 0);
		assertThat(history.counts(StatisticsTotal::dead)).containsOnly("null");
		assertThat(history.ages()).containsOnly("null");
		assertThat(history.runTimes(0.5)).containsOnly("null");
	}

	@Test
	void runTimesAreUnknownWithoutAnAttempt() {
		RunTimes runTimes = new RunTimes(List.of(0, 0, 0, 4));
		ChartHistory history = history(LONG_AGO, 0, new StatisticsTotal(END.minusSeconds(60), 4, 0, 0, runTimes, null));
		assertThat(last(2, history.runTimes(0.5))).containsExactly("null", "0.00025");
	}

	/**
	 * No minute but one has an age. A job of 150 s was there two minutes before.
	 */
	@Test
	void ageGrowsAlsoWhereNoneWasRecorded() {
		ChartHistory history = history(LONG_AGO, 0, step(2, 0, 150));
		assertThat(last(6, history.ages())).containsExactly("0", "0", "30", "90", "150", "0");
	}

	/**
	 * No node was alive to record it.
	 */
	@Test
	void ageUntilNowIsThatOfTheOldestJobNow() {
		ChartHistory history = history(LONG_AGO, 200, step(2, 0, 130));
		assertThat(last(4, history.ages())).containsExactly("10", "70", "130", "180");
	}

	@Test
	void ageOfAJobThatIsYoungerThanTheMinuteIsNotShown() {
		assertThat(history(LONG_AGO, 15).ages()).containsOnly("0");
	}

	@Test
	void recordedAgeIsShownIfItIsLonger() {
		ChartHistory history = history(LONG_AGO, 200, step(3, 0, 500), step(1, 0, 300));
		assertThat(last(4, history.ages())).containsExactly("440", "500", "240", "300");
	}

	@Test
	void jsonHasTheValuesOfEachStep() {
		ChartHistory history = history(LONG_AGO, 0, step(1, 5, null));
		assertThat(Chart.FAILURES.json(history))
			.startsWith("{\"from\":" + history.from().getEpochSecond()
					+ ",\"step\":60,\"series\":[{\"label\":\"Failed and retried\",\"values\":[0,0,")
			.endsWith("0,2]}]}");
	}

	@Test
	void eachRangeIsAMultipleOfItsStep() {
		assertThat(Stream.of(ChartRange.values())
			.map((range) -> new ChartHistory(range, new StatisticsHistory(NOW, LONG_AGO, List.of()), Duration.ZERO))
			.map((history) -> history.ages().size())).containsExactly(60, 144, 168);
	}

	private static ChartHistory history(@Nullable Instant since, int age, StatisticsTotal... steps) {
		return new ChartHistory(ChartRange.HOUR, new StatisticsHistory(NOW, since, List.of(steps)),
				Duration.ofSeconds(age));
	}

	/**
	 * Return a step that began some minutes before the current one.
	 */
	private static StatisticsTotal step(int minutes, int succeeded, @Nullable Integer age) {
		return new StatisticsTotal(END.minusSeconds(minutes * 60L), succeeded, 1, 2, RunTimes.NONE,
				(age != null) ? Duration.ofSeconds(age) : null);
	}

	private static List<String> last(int steps, List<String> values) {
		return values.subList(values.size() - steps, values.size());
	}

}
