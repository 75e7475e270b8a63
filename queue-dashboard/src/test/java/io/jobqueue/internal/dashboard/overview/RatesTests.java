package io.jobqueue.internal.dashboard.overview;

import java.time.Duration;
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

	private static final Instant NOW = Instant.parse("2026-11-28T12:10:42Z");

	private static final Arrivals NO_ARRIVALS = new Arrivals(Duration.ofMinutes(5), Map.of());

	private static final QueueClass EMAILS = new QueueClass("emails", PriorityClass.USER_VISIBLE);

	@Test
	void arrivalsOfAllPrioritiesOfAClassAreAdded() {
		Arrivals arrivals = new Arrivals(Duration.ofMinutes(5),
				Map.of(new Tier("emails", 10), 40L, new Tier("emails", 11), 10L, new Tier("emails", 20), 5L));
		Rates rates = Rates.of(arrivals, List.of(), NOW);
		assertThat(rates.in(EMAILS)).isEqualTo(10);
		assertThat(rates.in(new QueueClass("emails", PriorityClass.EVENTUAL))).isEqualTo(1);
		assertThat(rates.in(new QueueClass("letters", PriorityClass.EVENTUAL))).isZero();
		assertThat(rates.out(EMAILS)).isZero();
	}

	@Test
	void arrivalsCountForTheirPeriod() {
		Arrivals arrivals = new Arrivals(Duration.ofSeconds(2), Map.of(new Tier("emails", 10), 10_000L));
		assertThat(Rates.of(arrivals, List.of(), NOW).in(EMAILS)).isEqualTo(300_000);
	}

	@Test
	void jobsThatLeaveAreThoseOfFiveFullMinutes() {
		Rates rates = Rates.of(NO_ARRIVALS,
				List.of(step("12:04:00", 1000), step("12:05:00", 20), step("12:09:00", 30), step("12:10:00", 1000)),
				NOW);
		assertThat(rates.out(EMAILS)).isEqualTo(10);
		assertThat(rates.subjects()).containsExactly(EMAILS);
	}

	@Test
	void failedAttemptsDoNotLeave() {
		QueueStatistics counts = new QueueStatistics("emails", PriorityClass.USER_VISIBLE, 1, 100, 2, 2, RunTimes.NONE);
		Rates rates = Rates.of(NO_ARRIVALS, List.of(new StatisticsStep(time("12:09:00"), counts, null)), NOW);
		assertThat(rates.out(EMAILS)).isEqualTo(1);
	}

	@Test
	void unknownRatesAreNotZero() {
		assertThat(Rates.UNKNOWN.in(EMAILS)).isNull();
		assertThat(Rates.UNKNOWN.out(EMAILS)).isNull();
		assertThat(Rates.UNKNOWN.subjects()).isEmpty();
	}

	private static StatisticsStep step(String time, long succeeded) {
		return new StatisticsStep(time(time),
				new QueueStatistics("emails", PriorityClass.USER_VISIBLE, succeeded, 0, 0, 0, RunTimes.NONE), null);
	}

	private static Instant time(String time) {
		return Instant.parse("2026-11-28T%sZ".formatted(time));
	}

}
