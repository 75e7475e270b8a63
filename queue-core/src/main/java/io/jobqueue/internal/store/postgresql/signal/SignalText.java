package io.jobqueue.internal.store.postgresql.signal;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.StringJoiner;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.Notice;
import io.jobqueue.internal.store.Notice.PausesChanged;
import io.jobqueue.internal.store.Notice.TickDue;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.WakeUp.SlotFreed;
import io.jobqueue.internal.store.postgresql.transaction.Columns;

/**
 * Converts wake-ups to text and back. The text has the id of the sending node, for each
 * tier the queue, the priority, the milliseconds until a job is due, its position and
 * whether it needs an admission, and for each free slot the queue. Queue names do not
 * contain the separators. Instead of wake-ups, the text can have a notice: a change of
 * pauses, or the milliseconds until the tick of a schedule.
 */
final class SignalText {

	private static final int PARTS = 6;

	private static final int SLOT_PARTS = 2;

	private static final String PENDING = "pending";

	private static final String ADMITTED = "admitted";

	private static final String SLOT = "slot";

	private static final String PAUSES = "pauses";

	private static final String TICK = "tick ";

	private SignalText() {
	}

	static String of(UUID node, Collection<WakeUp> signals) {
		StringJoiner text = new StringJoiner(",", node + ";", "");
		for (WakeUp signal : signals) {
			text.add(text(signal));
		}
		return text.toString();
	}

	private static String text(WakeUp signal) {
		return (signal instanceof JobsAvailable available) ? text(available) : signal.queue() + ":" + SLOT;
	}

	private static String text(JobsAvailable available) {
		return available.tier().queue() + ":" + available.tier().priority() + ":" + Columns.millis(available.dueIn())
				+ ":" + Columns.ofInstant(available.position().runAt()) + ":" + available.position().seq() + ":"
				+ (available.pendingAdmission() ? PENDING : ADMITTED);
	}

	static String of(UUID node, Notice notice) {
		return node + ";" + ((notice instanceof TickDue tick) ? TICK + Columns.millis(tick.in()) : PAUSES);
	}

	/**
	 * Return the notice of a text, {@code null} for a text of wake-ups.
	 */
	static @Nullable Notice notice(String text) {
		String signal = text.substring(text.indexOf(';') + 1);
		if (signal.startsWith(TICK)) {
			return new TickDue(Duration.ofMillis(Long.parseLong(signal.substring(TICK.length()))));
		}
		return signal.equals(PAUSES) ? new PausesChanged() : null;
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
