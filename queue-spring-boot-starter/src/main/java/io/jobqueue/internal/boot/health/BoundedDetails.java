package io.jobqueue.internal.boot.health;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Bounds lists and maps in health details to 20 entries.
 */
final class BoundedDetails {

	static final int MAX_ENTRIES = 20;

	private BoundedDetails() {
	}

	static List<String> list(Collection<String> names) {
		List<String> first = new ArrayList<>(names.stream().sorted().limit(MAX_ENTRIES).toList());
		if (names.size() > MAX_ENTRIES) {
			first.add("and %s more".formatted(names.size() - MAX_ENTRIES));
		}
		return first;
	}

	static Map<String, Integer> map(Map<String, Integer> numbers) {
		TreeMap<String, Integer> first = new TreeMap<>(numbers);
		while (first.size() > MAX_ENTRIES) {
			first.pollLastEntry();
		}
		return first;
	}

}
