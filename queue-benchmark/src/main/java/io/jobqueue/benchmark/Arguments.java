package io.jobqueue.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

import io.jobqueue.benchmark.against.Against;
import io.jobqueue.benchmark.frame.UsageException;
import org.jspecify.annotations.Nullable;

/**
 * What the benchmark was asked for.
 *
 * @param names names of scenarios
 * @param report whether to file a report
 * @param time how long chaos lasts
 * @param idle how long idle nodes are measured
 * @param seed what chance begins with
 * @param against what to compare with, {@code null} for plain SQL
 */
record Arguments(List<String> names, boolean report, Duration time, Duration idle, long seed,
		@Nullable Against against) {

	private static final String REPORT = "--report";

	private static final String SECONDS = "--seconds";

	private static final String IDLE_MINUTES = "--idle-minutes";

	private static final String SEED = "--seed";

	private static final String AGAINST = "--against";

	private static final String TURNS = "--turns";

	private static final Set<String> WITH_NUMBER = Set.of(SECONDS, IDLE_MINUTES, SEED, TURNS);

	private static final long DEFAULT_SECONDS = 60;

	private static final long DEFAULT_IDLE_MINUTES = 1;

	private static final long DEFAULT_TURNS = 10;

	/**
	 * Read the arguments of a command line.
	 * @throws UsageException if an option is unknown or lacks its number
	 */
	static Arguments of(String... arguments) {
		List<String> words = new ArrayList<>();
		Map<String, Long> numbers = new HashMap<>();
		String commit = null;
		Iterator<String> rest = List.of(arguments).iterator();
		while (rest.hasNext()) {
			String word = rest.next();
			if (WITH_NUMBER.contains(word)) {
				numbers.put(word, number(word, rest));
			}
			else if (word.equals(AGAINST)) {
				commit = commit(rest);
			}
			else {
				words.add(word);
			}
		}
		return of(words, numbers, against(commit, numbers));
	}

	private static String commit(Iterator<String> rest) {
		if (!rest.hasNext()) {
			throw new UsageException(AGAINST + " must name a commit, such as HEAD~1");
		}
		return rest.next();
	}

	private static @Nullable Against against(@Nullable String commit, Map<String, Long> numbers) {
		if (commit == null && numbers.containsKey(TURNS)) {
			throw new UsageException("%s is an option of %s".formatted(TURNS, AGAINST));
		}
		return (commit != null) ? new Against(commit, Math.toIntExact(numbers.getOrDefault(TURNS, DEFAULT_TURNS)))
				: null;
	}

	private static long number(String option, Iterator<String> rest) {
		String text = rest.hasNext() ? rest.next() : "nothing";
		try {
			return Long.parseUnsignedLong(text);
		}
		catch (NumberFormatException ex) {
			throw new UsageException("%s must be a number, but is %s".formatted(option, text));
		}
	}

	private static Arguments of(List<String> words, Map<String, Long> numbers, @Nullable Against against) {
		boolean report = words.remove(REPORT);
		words.stream().filter((word) -> word.startsWith("--")).findFirst().ifPresent((unknown) -> {
			throw new UsageException("Unknown option " + unknown);
		});
		return new Arguments(words, report || words.contains(Scenarios.ALL),
				Duration.ofSeconds(numbers.getOrDefault(SECONDS, DEFAULT_SECONDS)),
				Duration.ofMinutes(numbers.getOrDefault(IDLE_MINUTES, DEFAULT_IDLE_MINUTES)),
				numbers.getOrDefault(SEED, (long) ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE)), against);
	}

}
