package io.jobqueue.internal.boot.health;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BoundedDetailsTests {

	@Test
	void shortListIsSortedAndComplete() {
		assertThat(BoundedDetails.list(names(20))).hasSize(20).isSorted().startsWith("queue-10").endsWith("queue-29");
	}

	@Test
	void longListSaysHowManyThereAre() {
		assertThat(BoundedDetails.list(names(22))).hasSize(21)
			.startsWith("queue-10")
			.endsWith("queue-29", "and 2 more");
	}

	@Test
	void longMapKeepsTheFirstNames() {
		Map<String, Integer> numbers = names(22).stream().collect(Collectors.toMap((name) -> name, String::length));
		assertThat(BoundedDetails.map(numbers)).hasSize(20).containsEntry("queue-10", 8).doesNotContainKey("queue-30");
	}

	/**
	 * Return so many names, the last one first.
	 */
	private static List<String> names(int count) {
		return IntStream.range(0, count).mapToObj((number) -> "queue-" + (9 + count - number)).toList();
	}

}
