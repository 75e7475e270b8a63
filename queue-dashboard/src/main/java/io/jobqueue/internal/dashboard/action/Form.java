package io.jobqueue.internal.dashboard.action;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.StringUtils;
import org.springframework.web.servlet.function.ServerRequest;

import io.jobqueue.JobOperations;
import io.jobqueue.Priority;
import io.jobqueue.internal.dashboard.PathId;
import io.jobqueue.internal.store.StorableTime;

/**
 * The fields of a form, or the parameters of a page. Browsers send fields without a
 * value, too: these count as missing.
 *
 * @param values the values by name
 */
record Form(Map<String, List<String>> values) {

	private static final Map<String, Duration> UNITS = Map.of("minutes", Duration.ofMinutes(1), "hours",
			Duration.ofHours(1), "days", Duration.ofDays(1));

	private static final int MAX_AMOUNT = 36_500;

	static Form of(ServerRequest request) {
		Map<String, List<String>> values = new HashMap<>();
		request.params().forEach((name, texts) -> {
			List<String> filled = texts.stream().filter(StringUtils::hasText).toList();
			if (!filled.isEmpty()) {
				values.put(name, filled);
			}
		});
		return new Form(values);
	}

	/**
	 * Return a form with more fields.
	 */
	Form with(Map<String, String> fields) {
		Map<String, List<String>> all = new HashMap<>(this.values);
		fields.forEach((name, value) -> all.put(name, List.of(value)));
		return new Form(all);
	}

	@Nullable String text(String name) {
		return this.values.getOrDefault(name, List.of()).stream().findFirst().orElse(null);
	}

	<T> T required(String name, String expected, Function<String, T> parser) {
		String text = text(name);
		Assert.notNull(text, () -> "'%s' is missing: enter %s".formatted(name, expected));
		try {
			return parser.apply(text);
		}
		catch (RuntimeException ex) {
			throw new IllegalArgumentException("'%s' must be %s, but is '%s'".formatted(name, expected, text), ex);
		}
	}

	@Nullable String reason() {
		return text("reason");
	}

	/**
	 * Return the operations, which log the reason if there is one.
	 */
	JobOperations operations(JobOperations operations) {
		String reason = reason();
		return (reason != null) ? operations.because(reason) : operations;
	}

	Priority priority() {
		return required("priority", "a number from 0 to 99", (text) -> Priority.of(Integer.parseInt(text.strip())));
	}

	/**
	 * Return when a job is due: 0 is now, by the clock of the database.
	 */
	Instant runAt() {
		int amount = required("amount", "a number from 0 to 36500", (text) -> {
			int number = Integer.parseInt(text.strip());
			Assert.isTrue(number >= 0 && number <= MAX_AMOUNT, "out of range");
			return number;
		});
		Duration unit = required("unit", "minutes, hours or days", (text) -> Objects.requireNonNull(UNITS.get(text)));
		return (amount == 0) ? Instant.EPOCH : Instant.now().plus(unit.multipliedBy(amount));
	}

	/**
	 * Return when jobs are due, the same in all steps: the first step has an amount.
	 */
	Instant fixedRunAt() {
		return (text("runAt") != null) ? required("runAt", "a time", StorableTime::parse) : runAt();
	}

	static UUID id(String text) {
		return PathId.of(text).orElseThrow(() -> new IllegalArgumentException("'%s' is not a job id".formatted(text)));
	}

}
