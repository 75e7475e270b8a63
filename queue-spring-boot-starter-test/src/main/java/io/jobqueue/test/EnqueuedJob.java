package io.jobqueue.test;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;

/**
 * An enqueued job, as assertions see it.
 *
 * @param queue its queue
 * @param type the name of its type
 * @param payload its payload as text
 * @param matches returns whether a payload equals its own
 * @param delay the time from the enqueueing until it is due, {@code null} if unknown
 * @param state its state, {@code null} if it is stored nowhere
 */
record EnqueuedJob(String queue, String type, String payload, Predicate<Object> matches, @Nullable Duration delay,
		@Nullable JobState state) {

	private static final int LISTED = 20;

	/**
	 * List jobs for a message.
	 */
	static String list(List<EnqueuedJob> jobs) {
		String rest = (jobs.size() > LISTED) ? "%n  and %d more".formatted(jobs.size() - LISTED) : "";
		return jobs.isEmpty() ? "There are no jobs."
				: jobs.stream()
					.limit(LISTED)
					.map(EnqueuedJob::toString)
					.collect(Collectors.joining("%n  ".formatted(), "There are these jobs:%n  ".formatted(), rest));
	}

	@Override
	public String toString() {
		String due = (this.delay == null || this.delay.isZero()) ? "" : " after " + this.delay;
		return "%s in queue %s%s%s: %s".formatted(this.type, this.queue, due,
				(this.state != null) ? ", " + this.state : "", this.payload);
	}

}
