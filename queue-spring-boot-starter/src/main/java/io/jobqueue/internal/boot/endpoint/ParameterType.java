package io.jobqueue.internal.boot.endpoint;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

import io.jobqueue.JobState;
import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.WorkflowState;
import io.jobqueue.internal.store.StorableTime;

/**
 * Type of a parameter.
 *
 * @param <T> the Java type
 * @param expected the format, for error messages
 * @param parser converts text
 */
record ParameterType<T>(String expected, Function<String, T> parser) {

	static final ParameterType<Long> NUMBER = new ParameterType<>("a number", Long::valueOf);

	static final ParameterType<Integer> LIMIT = new ParameterType<>("a number from 1 to 1000", Integer::valueOf);

	static final ParameterType<UUID> ID = new ParameterType<>("a job id", UUID::fromString);

	static final ParameterType<UUID> BATCH_ID = new ParameterType<>("the id of a batch", UUID::fromString);

	static final ParameterType<UUID> WORKFLOW_ID = new ParameterType<>("the id of an instance", UUID::fromString);

	static final ParameterType<WorkflowState> WORKFLOW_STATE = new ParameterType<>(
			"one of %s".formatted(Arrays.toString(WorkflowState.values())),
			(text) -> WorkflowState.valueOf(text.toUpperCase(Locale.ROOT)));

	static final ParameterType<Instant> TIME = new ParameterType<>("a time such as 2026-11-21T12:00:00Z",
			StorableTime::parse);

	static final ParameterType<JobState[]> STATES = new ParameterType<>(
			"one or more of %s, separated by commas".formatted(Arrays.toString(JobState.values())),
			ParameterType::states);

	static final ParameterType<Priority> PRIORITY = new ParameterType<>(
			"a class (interactive, user-visible, eventual, reporting) or a number from 0 to 99",
			ParameterType::priority);

	static final ParameterType<Boolean> FLAG = new ParameterType<>("true or omitted", ParameterType::flag);

	/**
	 * Parse the id in a path.
	 */
	static UUID id(String text) {
		try {
			return UUID.fromString(text);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("'%s' is not a job id: jobs/{id} takes a UUID".formatted(text), ex);
		}
	}

	T parse(String name, String text) {
		try {
			return this.parser.apply(text);
		}
		catch (IllegalArgumentException | DateTimeException ex) {
			throw new IllegalArgumentException("'%s' must be %s, but is '%s'".formatted(name, this.expected, text), ex);
		}
	}

	private static JobState[] states(String text) {
		return Stream.of(StringUtils.commaDelimitedListToStringArray(text))
			.map((state) -> JobState.valueOf(state.strip().toUpperCase(Locale.ROOT)))
			.distinct()
			.toArray(JobState[]::new);
	}

	private static Priority priority(String text) {
		String name = text.toLowerCase(Locale.ROOT).replace('-', '_');
		return Stream.of(PriorityClass.values())
			.filter((candidate) -> candidate.tagValue().equals(name))
			.map((candidate) -> Priority.of(candidate.best()))
			.findFirst()
			.orElseGet(() -> Priority.of(Integer.parseInt(text)));
	}

	private static Boolean flag(String text) {
		Assert.isTrue(text.equals("true"), "not true");
		return true;
	}

}
