package io.jobqueue.internal.dashboard.recurring;

import java.time.DayOfWeek;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Says the usual cron expressions in English. Others have no words: the expression itself
 * is shown, too.
 */
final class CronWords {

	private static final Map<String, String> MACROS = Map.of("@yearly", "0 0 0 1 1 *", "@annually", "0 0 0 1 1 *",
			"@monthly", "0 0 0 1 * *", "@weekly", "0 0 0 * * 0", "@daily", "0 0 0 * * *", "@midnight", "0 0 0 * * *",
			"@hourly", "0 0 * * * *");

	private static final int FIELDS = 6;

	private static final int HOURS_OF_A_DAY = 24;

	private static final int SIXTY = 60;

	private static final Pattern NUMBER = Pattern.compile("\\d{1,2}");

	private static final Pattern STEP = Pattern.compile("(?:\\*|0)/(\\d{1,2})");

	private static final Pattern HOURS = Pattern.compile("(\\d{1,2})-(\\d{1,2})");

	private final String second;

	private final String minute;

	private final String hour;

	private final String[] fields;

	private CronWords(String[] fields) {
		this.fields = fields;
		this.second = fields[0];
		this.minute = fields[1];
		this.hour = fields[2];
	}

	/**
	 * Return a cron expression in words, empty if there are none.
	 */
	static Optional<String> of(String cron) {
		String[] fields = MACROS.getOrDefault(cron.trim().toLowerCase(Locale.ROOT), cron).trim().split("\\s+");
		return (fields.length == FIELDS) ? Optional.ofNullable(new CronWords(fields).words()) : Optional.empty();
	}

	private @Nullable String words() {
		String days = days();
		String months = this.fields[4].equals("*") ? ""
				: names(this.fields[4], CronWords::month).map((names) -> " in " + names).orElse(null);
		if (days == null || months == null) {
			return null;
		}
		String times = times();
		if (times != null) {
			return (days.isEmpty() ? "every day" : days) + months + " at " + times;
		}
		String interval = interval();
		return (interval != null) ? interval + (days.isEmpty() ? "" : ", " + days) + months : null;
	}

	private @Nullable String days() {
		String day = this.fields[3];
		String weekdays = this.fields[5];
		if (isAny(weekdays)) {
			return isAny(day) ? "" : dayOfMonth(day);
		}
		return isAny(day) ? names(weekdays, CronWords::weekday).orElse(null) : null;
	}

	private static boolean isAny(String field) {
		return field.equals("*") || field.equals("?");
	}

	private static @Nullable String dayOfMonth(String day) {
		if (day.equalsIgnoreCase("L")) {
			return "on the last day of the month";
		}
		return NUMBER.matcher(day).matches() ? "on day " + Integer.parseInt(day) + " of the month" : null;
	}

	/**
	 * Return the times of day, if they are listed.
	 */
	private @Nullable String times() {
		List<String> hours = Arrays.asList(this.hour.split(","));
		if (!isNumber(this.second) || !isNumber(this.minute) || !hours.stream().allMatch(CronWords::isNumber)) {
			return null;
		}
		return listed(hours.stream().map(this::time).toList());
	}

	private String time(String hour) {
		int seconds = Integer.parseInt(this.second);
		return twoDigits(Integer.parseInt(hour)) + ":" + twoDigits(Integer.parseInt(this.minute))
				+ ((seconds != 0) ? ":" + twoDigits(seconds) : "");
	}

	private @Nullable String interval() {
		if (this.minute.equals("*") && this.hour.equals("*")) {
			return this.second.equals("0") ? "every minute" : every(this.second, "second");
		}
		if (!this.second.equals("0")) {
			return null;
		}
		return isNumber(this.minute) ? ofHours() : ofMinutes();
	}

	private @Nullable String ofMinutes() {
		String every = every(this.minute, "minute");
		return this.hour.equals("*") ? every : (every != null) ? during(every) : null;
	}

	private @Nullable String during(String every) {
		Matcher hours = HOURS.matcher(this.hour);
		return hours.matches() ? "%s from %s:00 to %s:59".formatted(every, twoDigits(Integer.parseInt(hours.group(1))),
				twoDigits(Integer.parseInt(hours.group(2)))) : null;
	}

	private static String twoDigits(int number) {
		return String.format(Locale.ROOT, "%02d", number);
	}

	private @Nullable String ofHours() {
		int past = Integer.parseInt(this.minute);
		String minutes = (past == 0) ? "" : " at minute " + past;
		Matcher hours = HOURS.matcher(this.hour);
		if (hours.matches()) {
			return "every hour from %s to %s".formatted(time(hours.group(1)), time(hours.group(2)));
		}
		String every = this.hour.equals("*") ? "every hour" : every(this.hour, "hour");
		return (every != null) ? every + minutes : null;
	}

	private static @Nullable String every(String field, String unit) {
		if (field.equals("*")) {
			return "every " + unit;
		}
		Matcher step = STEP.matcher(field);
		if (!step.matches()) {
			return null;
		}
		int size = Integer.parseInt(step.group(1));
		if (size == 0 || (unit.equals("hour") ? HOURS_OF_A_DAY : SIXTY) % size != 0) {
			// The last interval before the next hour or day is shorter
			return null;
		}
		return (size == 1) ? "every " + unit : "every %s %ss".formatted(size, unit);
	}

	private static boolean isNumber(String field) {
		return NUMBER.matcher(field).matches();
	}

	/**
	 * Return the names of a list of values and ranges.
	 */
	private static Optional<String> names(String field, Function<String, @Nullable String> name) {
		List<@Nullable String> names = Arrays.stream(field.split(",")).<@Nullable String>map((part) -> {
			List<@Nullable String> ends = Arrays.stream(part.split("-", 2)).<@Nullable String>map(name).toList();
			return ends.contains(null) ? null : ends.stream().map(String::valueOf).collect(Collectors.joining(" to "));
		}).toList();
		return names.stream().anyMatch((each) -> each == null) ? Optional.empty()
				: Optional.of(listed(names.stream().map(String::valueOf).toList()));
	}

	private static @Nullable String weekday(String text) {
		for (DayOfWeek day : DayOfWeek.values()) {
			boolean named = day.name().substring(0, 3).equalsIgnoreCase(text);
			if (named || (isNumber(text) && day.getValue() % 7 == Integer.parseInt(text) % 7)) {
				return day.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
			}
		}
		return null;
	}

	private static @Nullable String month(String text) {
		for (Month month : Month.values()) {
			boolean named = month.name().substring(0, 3).equalsIgnoreCase(text);
			if (named || (isNumber(text) && month.getValue() == Integer.parseInt(text))) {
				return month.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
			}
		}
		return null;
	}

	private static String listed(List<String> items) {
		int last = items.size() - 1;
		return (last == 0) ? items.get(0) : String.join(", ", items.subList(0, last)) + " and " + items.get(last);
	}

}
