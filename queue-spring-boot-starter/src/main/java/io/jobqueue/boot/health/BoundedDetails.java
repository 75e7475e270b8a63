package io.jobqueue.boot.health;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Details that do not grow without end.
 */
final class BoundedDetails {

	static final int MOST = 20;

	private BoundedDetails() {
	}

	static List<String> list(Collection<String> names) {
		List<String> first = new ArrayList<>(names.stream().sorted().limit(MOST).toList());
		if (names.size() > MOST) {
			first.add("and %d more".formatted(names.size() - MOST));
		}
		return first;
	}

	static Map<String, Integer> map(Map<String, Integer> numbers) {
		TreeMap<String, Integer> first = new TreeMap<>(numbers);
		while (first.size() > MOST) {
			first.pollLastEntry();
		}
		return first;
	}

}
