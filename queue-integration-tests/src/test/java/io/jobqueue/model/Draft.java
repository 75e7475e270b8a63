package io.jobqueue.model;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.store.NewJob;

/**
 * What is asked for when a job is enqueued; times are in minutes.
 */
record Draft(String type, int priority, int delay, @Nullable Integer maxAttempts, @Nullable Integer maxRunTime) {

	static final String QUEUE = "emails";

	static final List<Integer> PRIORITIES = List.of(10, 20);

	static final Draft MAIL = new Draft("mail", 10, 0, null, null);

	private static final List<@Nullable Integer> LIMITS = Arrays.asList(null, 1, 2, 0);

	private static final List<@Nullable Integer> RUN_TIMES = Arrays.asList(null, 5);

	static Draft any(Choices choices) {
		return new Draft(choices.of(List.of("mail", "mail", "mail", "alarm")), choices.of(PRIORITIES),
				choices.of(0, 0, 0, 0, 0, 5), choices.of(LIMITS), choices.of(RUN_TIMES));
	}

	NewJob job(UUID id) {
		return new NewJobBuilder().id(id)
			.queue(QUEUE)
			.type(this.type)
			.priority(this.priority)
			.delay(Duration.ofMinutes(this.delay))
			.maxAttempts(this.maxAttempts)
			.maxRunTime((this.maxRunTime != null) ? Minutes.runTime(this.maxRunTime) : null)
			.build();
	}

	@Override
	public String toString() {
		return "%s of priority %d, due in %d min%s%s".formatted(this.type, this.priority, this.delay,
				unlessNull(", max attempts %d", this.maxAttempts),
				unlessNull(", max run time %d min", this.maxRunTime));
	}

	private static String unlessNull(String text, @Nullable Integer value) {
		return (value != null) ? text.formatted(value) : "";
	}

}
