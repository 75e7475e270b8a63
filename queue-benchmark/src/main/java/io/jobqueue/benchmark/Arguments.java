package io.jobqueue.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

import io.jobqueue.benchmark.frame.UsageException;

/**
 * What the benchmark was asked for.
 *
 * @param names names of scenarios
 * @param report whether to file a report
 * @param idle whether {@code cold} measures after idle minutes
 * @param time how long chaos lasts
 * @param seed what chance begins with
 */
record Arguments(List<String> names, boolean report, boolean idle, Duration time, long seed) {

	private static final String REPORT = "--report";

	private static final String IDLE = "--idle";

	private static final String SECONDS = "--seconds";

	private static final String SEED = "--seed";

	private static final Set<String> WITH_NUMBER = Set.of(SECONDS, SEED);

	private static final long DEFAULT_SECONDS = 60;

	/**
	 * Read the arguments of a command line.
	 * @throws UsageException if an option is unknown or lacks its number
	 */
	static Arguments of(String... arguments) {
		List<String> words = new ArrayList<>();
		Map<String, Long> numbers = new HashMap<>();
		Iterator<String> rest = List.of(arguments).iterator();
		while (rest.hasNext()) {
			String word = rest.next();
			if (WITH_NUMBER.contains(word)) {
				numbers.put(word, number(word, rest));
			}
			else {
				words.add(word);
			}
		}
		return of(words, numbers);
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

	private static Arguments of(List<String> words, Map<String, Long> numbers) {
		boolean report = words.remove(REPORT);
		boolean idle = words.remove(IDLE);
		words.stream().filter((word) -> word.startsWith("--")).findFirst().ifPresent((unknown) -> {
			throw new UsageException("Unknown option " + unknown);
		});
		if (idle && !words.contains(Scenarios.COLD)) {
			throw new UsageException("%s is an option of %s".formatted(IDLE, Scenarios.COLD));
		}
		return new Arguments(words, report || words.contains(Scenarios.ALL), idle,
				Duration.ofSeconds(numbers.getOrDefault(SECONDS, DEFAULT_SECONDS)),
				numbers.getOrDefault(SEED, (long) ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE)));
	}

}
