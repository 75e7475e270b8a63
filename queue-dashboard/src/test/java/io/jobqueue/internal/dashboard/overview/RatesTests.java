package io.jobqueue.internal.dashboard.overview;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.jobqueue.PriorityClass;
import io.jobqueue.internal.store.OverviewStore.Arrivals;
import io.jobqueue.internal.store.RunTimes;
import io.jobqueue.internal.store.StatisticsStore.QueueStatistics;
import io.jobqueue.internal.store.StatisticsStore.StatisticsStep;
import io.jobqueue.internal.store.Tier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs per minute.
 */
class RatesTests {

	private static final Arrivals NO_ARRIVALS = arrivals("12:05:00", "12:10:00", Map.of());

	private static final QueueClass EMAILS = new QueueClass("emails", PriorityClass.USER_VISIBLE);

	@Test
	void arrivalsOfAllPrioritiesOfAClassAreAdded() {
		Arrivals arrivals = arrivals("12:05:00", "12:10:00",
				Map.of(new Tier("emails", 10), 40L, new Tier("emails", 11), 10L, new Tier("emails", 20), 5L));
		Rates rates = Rates.of(arrivals, List.of());
		assertThat(rates.in(EMAILS)).isEqualTo(10);
		assertThat(rates.in(new QueueClass("emails", PriorityClass.EVENTUAL))).isEqualTo(1);
		assertThat(rates.in(new QueueClass("letters", PriorityClass.EVENTUAL))).isZero();
		assertThat(rates.out(EMAILS)).isZero();
	}

	@Test
	void arrivalsCountForTheirPeriod() {
		Rates rates = Rates.of(arrivals("12:07:00", "12:10:00", Map.of(new Tier("emails", 10), 9_000L)),
				List.of(step("12:06:00", 1000), step("12:07:00", 20), step("12:09:00", 40)));
		assertThat(rates.in(EMAILS)).isEqualTo(3_000);
		assertThat(rates.out(EMAILS)).isEqualTo(20);
	}

	@Test
	void withoutAFullMinuteWhatLeavesIsThatOfTheLastOne() {
		Rates rates = Rates.of(arrivals("12:10:40", "12:10:42", Map.of(new Tier("emails", 10), 10_000L)),
				List.of(step("12:08:00", 1000), step("12:09:00", 40), step("12:10:00", 1000)));
		assertThat(rates.in(EMAILS)).isEqualTo(300_000);
		assertThat(rates.out(EMAILS)).isEqualTo(40);
	}

	@Test
	void jobsThatLeaveAreThoseOfFiveFullMinutes() {
		Rates rates = Rates.of(NO_ARRIVALS,
				List.of(step("12:04:00", 1000), step("12:05:00", 20), step("12:09:00", 30), step("12:10:00", 1000)));
		assertThat(rates.out(EMAILS)).isEqualTo(10);
		assertThat(rates.subjects()).containsExactly(EMAILS);
	}

	@Test
	void failedAttemptsDoNotLeave() {
		QueueStatistics counts = new QueueStatistics("emails", PriorityClass.USER_VISIBLE, 1, 100, 2, 2, RunTimes.NONE);
		Rates rates = Rates.of(NO_ARRIVALS, List.of(new StatisticsStep(time("12:09:00"), counts, null)));
		assertThat(rates.out(EMAILS)).isEqualTo(1);
	}

	@Test
	void unknownRatesAreNotZero() {
		assertThat(Rates.UNKNOWN.in(EMAILS)).isNull();
		assertThat(Rates.UNKNOWN.out(EMAILS)).isNull();
		assertThat(Rates.UNKNOWN.subjects()).isEmpty();
	}

	private static Arrivals arrivals(String from, String to, Map<Tier, Long> jobs) {
		return new Arrivals(time(from), time(to), jobs);
	}

	private static StatisticsStep step(String time, long succeeded) {
		return new StatisticsStep(time(time),
				new QueueStatistics("emails", PriorityClass.USER_VISIBLE, succeeded, 0, 0, 0, RunTimes.NONE), null);
	}

	private static Instant time(String time) {
		return Instant.parse("2026-11-28T%sZ".formatted(time));
	}

}
