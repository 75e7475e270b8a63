package io.jobqueue.store.postgresql.signal;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

import io.jobqueue.store.JobPosition;
import io.jobqueue.store.Tier;
import io.jobqueue.store.WakeUp;
import io.jobqueue.store.WakeUp.JobsAvailable;
import io.jobqueue.store.WakeUp.SlotFreed;
import io.jobqueue.store.postgresql.transaction.Columns;

/**
 * Converts wake-ups to text and back. The text has the id of the sending node, for each
 * tier the queue, the priority, the milliseconds until a job is due, its position and
 * whether it needs an admission, and for each free slot the queue. Queue names do not
 * contain the separators. Instead of wake-ups, the text can signal a change of pauses.
 */
final class SignalText {

	private static final int PARTS = 6;

	private static final int SLOT_PARTS = 2;

	private static final String PENDING = "pending";

	private static final String ADMITTED = "admitted";

	private static final String SLOT = "slot";

	private static final String PAUSES = "pauses";

	private SignalText() {
	}

	static String of(UUID node, Collection<WakeUp> signals) {
		return node + ";" + signals.stream().map(SignalText::text).collect(Collectors.joining(","));
	}

	private static String text(WakeUp signal) {
		return (signal instanceof JobsAvailable available) ? text(available) : signal.queue() + ":" + SLOT;
	}

	private static String text(JobsAvailable available) {
		return "%s:%d:%d:%d:%d:%s".formatted(available.tier().queue(), available.tier().priority(),
				Columns.millis(available.dueIn()), Columns.ofInstant(available.position().runAt()),
				available.position().seq(), available.pendingAdmission() ? PENDING : ADMITTED);
	}

	/**
	 * Return the text that signals a pause or its end.
	 */
	static String ofPauses(UUID node) {
		return node + ";" + PAUSES;
	}

	static boolean isOfPauses(String text) {
		return text.endsWith(";" + PAUSES);
	}

	static boolean isFrom(UUID node, String text) {
		return text.startsWith(node + ";");
	}

	static List<WakeUp> parse(String text) {
		return Arrays.stream(text.substring(text.indexOf(';') + 1).split(","))
			.map((signal) -> signal.split(":"))
			.filter((parts) -> parts.length == PARTS || parts.length == SLOT_PARTS)
			.<WakeUp>map((parts) -> (parts.length == PARTS) ? available(parts) : new SlotFreed(parts[0]))
			.toList();
	}

	private static JobsAvailable available(String[] parts) {
		Instant runAt = Columns.instant(Long.parseLong(parts[3]));
		return new JobsAvailable(new Tier(parts[0], Integer.parseInt(parts[1])),
				new JobPosition(runAt, Long.parseLong(parts[4])), Duration.ofMillis(Long.parseLong(parts[2])),
				parts[5].equals(PENDING));
	}

}
