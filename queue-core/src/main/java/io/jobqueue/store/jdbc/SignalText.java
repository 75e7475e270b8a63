package io.jobqueue.store.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

import io.jobqueue.store.Arrival;
import io.jobqueue.store.JobPosition;
import io.jobqueue.store.Tier;

/**
 * Arrivals as text: the sending node, then for each tier its queue and priority, the
 * milliseconds until a job is due, its place, and whether it has to be admitted. Names of
 * queues contain none of the separators. Instead of arrivals, it may tell of pauses.
 */
final class SignalText {

	private static final int PARTS = 6;

	private static final String GATED = "gated";

	private static final String OPEN = "open";

	private static final String PAUSES = "pauses";

	private SignalText() {
	}

	static String of(UUID node, Collection<Arrival> arrivals) {
		return node + ";" + arrivals.stream().map(SignalText::text).collect(Collectors.joining(","));
	}

	private static String text(Arrival arrival) {
		return "%s:%d:%d:%d:%d:%s".formatted(arrival.tier().queue(), arrival.tier().priority(),
				Columns.millis(arrival.dueIn()), Columns.ofInstant(arrival.position().runAt()),
				arrival.position().seq(), arrival.gated() ? GATED : OPEN);
	}

	/**
	 * Return what tells that something was paused or resumed.
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

	static List<Arrival> parse(String text) {
		return Arrays.stream(text.substring(text.indexOf(';') + 1).split(","))
			.map((arrival) -> arrival.split(":"))
			.filter((parts) -> parts.length == PARTS)
			.map(SignalText::arrival)
			.toList();
	}

	private static Arrival arrival(String[] parts) {
		Instant runAt = Columns.instant(Long.parseLong(parts[3]));
		return new Arrival(new Tier(parts[0], Integer.parseInt(parts[1])),
				new JobPosition(runAt, Long.parseLong(parts[4])), Duration.ofMillis(Long.parseLong(parts[2])),
				parts[5].equals(GATED));
	}

}
