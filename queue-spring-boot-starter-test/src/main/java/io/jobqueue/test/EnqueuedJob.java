package io.jobqueue.test;

import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;
import io.jobqueue.PayloadCodec;
import io.jobqueue.PayloadCodec.Encoded;

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

	static EnqueuedJob of(String queue, String type, Encoded payload, PayloadCodec codec, @Nullable Duration delay,
			@Nullable JobState state) {
		return new EnqueuedJob(queue, type, text(payload), (expected) -> match(payload, expected, codec), delay, state);
	}

	private static String text(Encoded payload) {
		return (payload.text() != null) ? payload.text()
				: HexFormat.of().formatHex(Objects.requireNonNull(payload.bytes()));
	}

	/**
	 * A codec may encode the same payload differently each time, and a class may have no
	 * {@code equals}.
	 */
	private static boolean match(Encoded payload, Object expected, PayloadCodec codec) {
		Encoded encoded = codec.encode(expected);
		boolean same = Objects.equals(encoded.text(), payload.text())
				&& Arrays.equals(encoded.bytes(), payload.bytes());
		return same || expected.equals(codec.decode(payload, expected.getClass()));
	}

	/**
	 * List jobs for a message.
	 */
	static String list(List<EnqueuedJob> jobs) {
		String rest = (jobs.size() > LISTED) ? "%n  and %s more".formatted(jobs.size() - LISTED) : "";
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
