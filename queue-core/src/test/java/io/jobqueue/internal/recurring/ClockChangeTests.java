package io.jobqueue.internal.recurring;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.internal.store.RecurringStore.Timing;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The ticks around the changes of clocks of all time zones, compared with a walk through
 * each minute: a tick is where the local time of an instant matches the expression.
 */
@Tag("slow") // walks through each minute around all changes of clocks
class ClockChangeTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private static final Instant END = Instant.parse("2031-01-01T00:00:00Z");

	private static final Duration AROUND = Duration.ofHours(26);

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final List<Expression> EXPRESSIONS = List.of(at("0 0 * * * *", (time) -> time.getMinute() == 0),
			at("0 30 * * * *", (time) -> time.getMinute() == 30), at("0 7 * * * *", (time) -> time.getMinute() == 7),
			at("0 0/15 * * * *", (time) -> time.getMinute() % 15 == 0),
			at("0 0/5 * * * *", (time) -> time.getMinute() % 5 == 0), at("@daily", (time) -> is(time, 0, 0)),
			at("0 30 0 * * *", (time) -> is(time, 0, 30)), at("0 0 1 * * *", (time) -> is(time, 1, 0)),
			at("0 45 1 * * *", (time) -> is(time, 1, 45)), at("0 0 2 * * *", (time) -> is(time, 2, 0)),
			at("0 30 2 * * *", (time) -> is(time, 2, 30)), at("0 0 3 * * *", (time) -> is(time, 3, 0)),
			at("0 30 23 * * *", (time) -> is(time, 23, 30)),
			at("0 0 */2 * * *", (time) -> time.getHour() % 2 == 0 && time.getMinute() == 0),
			at("0 0/20 0-3 * * *", (time) -> time.getHour() <= 3 && time.getMinute() % 20 == 0),
			at("0 0 0 * * SUN", (time) -> is(time, 0, 0) && isSunday(time)),
			at("0 0 1 * * SUN", (time) -> is(time, 1, 0) && isSunday(time)),
			at("0 0 1 L * *", (time) -> is(time, 1, 0) && time.plusDays(1).getDayOfMonth() == 1),
			at("0 15 1 * * SUN#1", (time) -> is(time, 1, 15) && isSunday(time) && time.getDayOfMonth() <= 7),
			new Expression("20,40 59 * * * *", (time) -> time.getMinute() == 59, List.of(20, 40)));

	private static Expression at(String cron, Predicate<LocalDateTime> minutes) {
		return new Expression(cron, minutes, List.of(0));
	}

	private static boolean is(LocalDateTime time, int hour, int minute) {
		return time.getHour() == hour && time.getMinute() == minute;
	}

	private static boolean isSunday(LocalDateTime time) {
		return time.getDayOfWeek() == DayOfWeek.SUNDAY;
	}

	@Test
	void ticksAreWhereTheLocalTimeMatches() {
		Map<ZoneOffsetTransition, ZoneId> changes = changes();
		assertThat(changes.values()).hasSizeGreaterThan(100)
			.contains(ZoneId.of("Australia/LHI"), ZoneId.of("NZ-CHAT"), ZoneId.of("America/Havana"));
		changes.forEach(this::compare);
	}

	/**
	 * Zones with the same change, within hours of which they have no other one, have the
	 * same ticks around it.
	 */
	private static Map<ZoneOffsetTransition, ZoneId> changes() {
		Map<ZoneOffsetTransition, ZoneId> changes = new LinkedHashMap<>();
		for (String id : new TreeSet<>(ZoneId.getAvailableZoneIds())) {
			ZoneId zone = ZoneId.of(id);
			ZoneOffsetTransition change = zone.getRules().nextTransition(START);
			while (change != null && change.getInstant().isBefore(END)) {
				changes.putIfAbsent(change, zone);
				change = zone.getRules().nextTransition(change.getInstant());
			}
		}
		return changes;
	}

	private void compare(ZoneOffsetTransition change, ZoneId zone) {
		Instant start = change.getInstant().minus(AROUND);
		Instant end = change.getInstant().plus(AROUND);
		List<List<Instant>> expected = walk(zone, start, end);
		for (int place = 0; place < EXPRESSIONS.size(); place++) {
			String cron = EXPRESSIONS.get(place).cron();
			assertThat(ticks(cron, zone, start, end)).as("%s in %s around %s", cron, zone, change)
				.isEqualTo(expected.get(place));
		}
	}

	private static List<List<Instant>> walk(ZoneId zone, Instant start, Instant end) {
		List<List<Instant>> ticks = new ArrayList<>();
		EXPRESSIONS.forEach((expression) -> ticks.add(new ArrayList<>()));
		for (Instant minute = start; minute.isBefore(end); minute = minute.plus(MINUTE)) {
			LocalDateTime local = LocalDateTime.ofInstant(minute, zone);
			for (int place = 0; place < EXPRESSIONS.size(); place++) {
				EXPRESSIONS.get(place).addTicks(minute, local, ticks.get(place));
			}
		}
		return ticks;
	}

	private static List<Instant> ticks(String cron, ZoneId zone, Instant start, Instant end) {
		Recurrence recurrence = Recurrence.of(new Timing(cron, zone.getId(), null), Instant.EPOCH);
		List<Instant> ticks = new ArrayList<>();
		Instant tick = recurrence.next(start.minusNanos(1));
		while (tick != null && tick.isBefore(end)) {
			assertThat(recurrence.next(tick.minusMillis(1))).isEqualTo(tick);
			ticks.add(tick);
			tick = recurrence.next(tick);
		}
		return ticks;
	}

	/**
	 * An expression, and the local times that it matches.
	 *
	 * @param cron the expression
	 * @param minutes tests minutes
	 * @param seconds the matching seconds of each matching minute
	 */
	private record Expression(String cron, Predicate<LocalDateTime> minutes, List<Integer> seconds) {

		void addTicks(Instant minute, LocalDateTime local, List<Instant> ticks) {
			if (this.minutes.test(local)) {
				for (int second : this.seconds) {
					ticks.add(minute.plusSeconds(second));
				}
			}
		}

	}

}
