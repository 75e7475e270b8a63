package io.jobqueue.internal.recurring;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.scheduling.support.CronExpression;

import io.jobqueue.internal.store.RecurringStore.Timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The times of ticks, where the clocks change and where the JVM has another zone.
 */
class RecurrenceTests {

	private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

	private final TimeZone zoneOfTheJvm = TimeZone.getDefault();

	@AfterEach
	void resetZone() {
		TimeZone.setDefault(this.zoneOfTheJvm);
	}

	@ParameterizedTest
	@CsvSource({ "0 30 2 * * *, 2026-03-28, 2", "0 30 2 * * *, 2026-10-24, 4", "0 0 * * * *, 2026-03-28, 71",
			"0 0 * * * *, 2026-10-24, 73", "0 */15 * * * *, 2026-03-28, 284", "0 */15 * * * *, 2026-10-24, 292",
			"0 30 1-3 * * *, 2026-10-24, 10", "*/10 * 2 * * *, 2026-10-24, 1440" })
	void ticksAreThoseOfSpringWhereTheClocksChange(String cron, LocalDate from, int expected) {
		Instant start = from.atStartOfDay(BERLIN).toInstant().minusMillis(1);
		Instant end = from.plusDays(3).atStartOfDay(BERLIN).toInstant();
		List<Instant> ticks = ticks(byCron(cron, BERLIN), start, end);
		assertThat(ticks).hasSize(expected).isSorted().doesNotHaveDuplicates().containsAll(ofSpring(cron, start, end));
	}

	@ParameterizedTest
	@CsvSource({ "0 30 2 * * *, 2026-03-28", "0 30 2 * * *, 2026-10-24", "0 0 * * * *, 2026-03-28",
			"0 0 * * * *, 2026-10-24", "0 */15 * * * *, 2026-03-28", "0 */15 * * * *, 2026-10-24" })
	void nextTickFollowsAnyInstant(String cron, LocalDate from) {
		Recurrence recurrence = byCron(cron, BERLIN);
		Instant start = from.atStartOfDay(BERLIN).toInstant().minusMillis(1);
		List<Instant> ticks = ticks(recurrence, start, start.plus(Duration.ofDays(4)));
		int place = 0;
		for (Instant time = start; time.isBefore(start.plus(Duration.ofDays(2))); time = time.plusMillis(97_501)) {
			while (!ticks.get(place).isAfter(time)) {
				place++;
			}
			assertThat(recurrence.next(time)).as("after %s", time).isEqualTo(ticks.get(place));
		}
	}

	private static List<Instant> ticks(Recurrence recurrence, Instant start, Instant end) {
		List<Instant> ticks = new ArrayList<>();
		Instant tick = recurrence.next(start);
		while (tick != null && tick.isBefore(end)) {
			ticks.add(tick);
			tick = recurrence.next(tick);
		}
		return ticks;
	}

	private static List<Instant> ofSpring(String cron, Instant start, Instant end) {
		CronExpression expression = CronExpression.parse(cron);
		List<Instant> ticks = new ArrayList<>();
		ZonedDateTime tick = expression.next(start.atZone(BERLIN));
		while (tick != null && tick.toInstant().isBefore(end)) {
			ticks.add(tick.toInstant());
			tick = expression.next(tick);
		}
		return ticks;
	}

	@Test
	void timeThatTheChangeOfClocksLeavesOutHasNoTick() {
		assertThat(byCron("0 30 2 * * *", BERLIN).next(Instant.parse("2026-03-28T12:00:00Z")))
			.isEqualTo("2026-03-30T00:30:00Z");
	}

	@Test
	void timeThatTheChangeOfClocksRepeatsHasTwoTicks() {
		Recurrence recurrence = byCron("0 30 2 * * *", BERLIN);
		assertThat(recurrence.next(Instant.parse("2026-10-24T12:00:00Z"))).isEqualTo("2026-10-25T00:30:00Z");
		assertThat(recurrence.next(Instant.parse("2026-10-25T00:30:00Z"))).isEqualTo("2026-10-25T01:30:00Z");
		assertThat(recurrence.next(Instant.parse("2026-10-25T01:30:00Z"))).isEqualTo("2026-10-26T01:30:00Z");
	}

	@ParameterizedTest
	@CsvSource({ "@hourly, Australia/Lord_Howe, 2026-04-04T14:00:00Z, 2026-04-04T15:30:00Z",
			"0 0/15 * * * *, Australia/Lord_Howe, 2026-04-04T14:45:00Z, 2026-04-04T15:00:00Z",
			"0 0/15 * * * *, Pacific/Chatham, 2026-04-04T13:00:00Z, 2026-04-04T13:15:00Z",
			"0 0 */2 * * *, America/Nuuk, 2026-03-28T00:00:00Z, 2026-03-28T02:00:00Z",
			"@daily, America/Havana, 2026-10-31T12:00:00Z, 2026-11-01T04:00:00Z",
			"@daily, Africa/Cairo, 2026-04-23T12:00:00Z, 2026-04-24T21:00:00Z" })
	void oddChangeOfClocksLeavesOutNoLocalTimeThatExists(String cron, ZoneId zone, Instant time, Instant expected) {
		assertThat(byCron(cron, zone).next(time)).isEqualTo(expected);
	}

	@Test
	void timeThatEachChangeOfClocksLeavesOutIsNeverATick() {
		assertThat(byCron("0 30 2 ? 3 SUNL", BERLIN).next(Instant.parse("2026-01-01T00:00:00Z"))).isNull();
	}

	@Test
	void zoneOfTheJvmDoesNotMatter() {
		for (String zone : List.of("America/New_York", "Asia/Kolkata", "UTC")) {
			TimeZone.setDefault(TimeZone.getTimeZone(zone));
			assertThat(byCron("0 0 3 * * *", ZoneId.of("Asia/Tokyo")).next(Instant.parse("2026-06-01T00:00:00Z")))
				.isEqualTo("2026-06-01T18:00:00Z");
		}
	}

	@Test
	void leapDayHasATickInLeapYearsOnly() {
		Recurrence recurrence = byCron("0 0 12 29 2 *", ZoneOffset.UTC);
		assertThat(recurrence.next(Instant.parse("2026-01-01T00:00:00Z"))).isEqualTo("2028-02-29T12:00:00Z");
		assertThat(recurrence.next(Instant.parse("2096-03-01T00:00:00Z"))).isEqualTo("2104-02-29T12:00:00Z");
		assertThat(byCron("0 0 12 29 2 MON", ZoneOffset.UTC).next(Instant.parse("2072-03-01T00:00:00Z")))
			.isEqualTo("2112-02-29T12:00:00Z");
	}

	@ParameterizedTest
	@CsvSource({ "0 0 0 30 2 *", "0 0 0 31 11 *" })
	void dateThatDoesNotExistHasNoTick(String cron) {
		assertThat(byCron(cron, BERLIN).next(Instant.EPOCH)).isNull();
	}

	@Test
	void expressionThatSpringEndsHasNoFurtherTick() {
		assertThat(byCron("0 0 0 1 1 *", ZoneOffset.UTC).next(Instant.parse("+999999999-06-01T00:00:00Z"))).isNull();
	}

	@Test
	void rateCountsFromItsAnchor() {
		Instant anchor = Instant.parse("2026-01-01T00:00:07.250Z");
		Recurrence recurrence = atRate(Duration.ofMinutes(15), anchor);
		assertThat(recurrence.next(anchor.minus(Duration.ofDays(3)))).isEqualTo("2025-12-29T00:15:07.250Z");
		assertThat(recurrence.next(anchor.minusMillis(1))).isEqualTo(anchor);
		assertThat(recurrence.next(anchor)).isEqualTo("2026-01-01T00:15:07.250Z");
		assertThat(recurrence.next(Instant.parse("2026-01-01T00:15:07.249Z"))).isEqualTo("2026-01-01T00:15:07.250Z");
		assertThat(recurrence.next(Instant.parse("2026-01-01T00:15:07.250Z"))).isEqualTo("2026-01-01T00:30:07.250Z");
		assertThat(recurrence.next(Instant.parse("2036-01-01T00:00:00Z"))).isEqualTo("2036-01-01T00:00:07.250Z");
	}

	@Test
	void rateIsAtLeastATenthOfASecond() {
		Instant anchor = Instant.parse("2026-01-01T00:00:00Z");
		assertThat(atRate(Duration.ofMillis(100), anchor).next(anchor)).isEqualTo("2026-01-01T00:00:00.100Z");
		assertThatIllegalArgumentException().isThrownBy(() -> atRate(Duration.ofMillis(100).minusNanos(1), anchor))
			.withMessage("The rate is below 100 ms");
	}

	@ParameterizedTest
	@CsvSource({ "2026-06-02T03:00:00Z, false", "2026-06-02T04:00:00Z, false", "2026-06-02T04:00:01Z, true",
			"2026-06-03T03:00:00Z, true", "2026-06-01T03:00:00Z, false" })
	void nextTickIsTooLateAnHourAfterTheOneThatFollowsInAnHour(Instant next, boolean expected) {
		Recurrence daily = byCron("0 0 3 * * *", ZoneOffset.UTC);
		assertThat(daily.isTooLate(next, Instant.parse("2026-06-01T02:30:00Z"))).isEqualTo(expected);
	}

	@Test
	void rateIsAbsoluteWhereTheClocksChange() {
		Instant anchor = ZonedDateTime.of(2026, 3, 27, 8, 0, 0, 0, BERLIN).toInstant();
		List<Instant> ticks = ticks(atRate(Duration.ofDays(1), anchor), anchor, anchor.plus(Duration.ofDays(4)));
		assertThat(ticks).extracting((tick) -> tick.atZone(BERLIN).getHour()).containsExactly(8, 9, 9);
	}

	private static Recurrence atRate(Duration rate, Instant anchor) {
		return Recurrence.of(new Timing(null, null, rate), anchor);
	}

	private static Recurrence byCron(String cron, @Nullable ZoneId zone) {
		return Recurrence.of(new Timing(cron, zone.getId(), null), Instant.EPOCH);
	}

}
