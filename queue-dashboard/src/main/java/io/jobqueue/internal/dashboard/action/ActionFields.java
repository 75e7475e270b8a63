package io.jobqueue.internal.dashboard.action;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import org.springframework.util.Assert;

import io.jobqueue.Priority;
import io.jobqueue.internal.dashboard.PathId;
import io.jobqueue.internal.dashboard.view.Form;
import io.jobqueue.internal.store.StorableTime;

/**
 * What an action sets on jobs.
 *
 * @param form the form of the action
 */
record ActionFields(Form form) {

	private static final Map<String, Duration> UNITS = Map.of("minutes", Duration.ofMinutes(1), "hours",
			Duration.ofHours(1), "days", Duration.ofDays(1));

	private static final int MAX_AMOUNT = 36_500;

	/**
	 * Return the names of the fields of an action.
	 * @param action its name in addresses
	 */
	static String[] names(String action) {
		return switch (action) {
			case "reschedule" -> new String[] { "amount", "unit" };
			case "reprioritise" -> new String[] { "priority" };
			default -> new String[0];
		};
	}

	Priority priority() {
		return this.form.required("priority", "a number from 0 to 99",
				(text) -> Priority.of(Integer.parseInt(text.strip())));
	}

	/**
	 * Return when a job is due: 0 is now, by the clock of the database.
	 */
	Instant runAt() {
		int amount = this.form.required("amount", "a number from 0 to 36500", (text) -> {
			int number = Integer.parseInt(text.strip());
			Assert.isTrue(number >= 0 && number <= MAX_AMOUNT, "out of range");
			return number;
		});
		Duration unit = this.form.required("unit", "minutes, hours or days",
				(text) -> Objects.requireNonNull(UNITS.get(text)));
		return (amount == 0) ? Instant.EPOCH
				: Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(unit.multipliedBy(amount));
	}

	/**
	 * Return when jobs are due, the same in all steps: the first step has an amount.
	 */
	Instant fixedRunAt() {
		return (this.form.text("runAt") != null) ? this.form.required("runAt", "a time", StorableTime::parse) : runAt();
	}

	static UUID id(String text) {
		return PathId.of(text).orElseThrow(() -> new IllegalArgumentException("'%s' is not a job id".formatted(text)));
	}

}
