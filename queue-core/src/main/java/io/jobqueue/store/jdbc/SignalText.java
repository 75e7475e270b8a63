package io.jobqueue.store.jdbc;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

import io.jobqueue.signal.JobSignal;

/**
 * Signals as text: the sending node, then for each queue the milliseconds until a job is
 * due. Names of queues contain neither of the separators.
 */
final class SignalText {

	private SignalText() {
	}

	static String of(UUID node, Collection<JobSignal> signals) {
		return node + ";"
				+ signals.stream()
					.map((signal) -> signal.queue() + "=" + signal.dueIn().toMillis())
					.collect(Collectors.joining(","));
	}

	static boolean isFrom(UUID node, String text) {
		return text.startsWith(node + ";");
	}

	static List<JobSignal> parse(String text) {
		return Arrays.stream(text.substring(text.indexOf(';') + 1).split(","))
			.filter((signal) -> signal.indexOf('=') > 0)
			.map(SignalText::signal)
			.toList();
	}

	private static JobSignal signal(String text) {
		int separator = text.indexOf('=');
		return new JobSignal(text.substring(0, separator),
				Duration.ofMillis(Long.parseLong(text, separator + 1, text.length(), 10)));
	}

}
