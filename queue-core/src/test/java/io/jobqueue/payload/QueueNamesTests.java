package io.jobqueue.payload;

import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Names of queues are valid if they match the regular expression that messages name.
 */
class QueueNamesTests {

	@Test
	void areValidIfTheyMatch() {
		Stream<String> lengths = Stream.of("", "a", "a".repeat(100), "a".repeat(101));
		Stream<String> characters = IntStream.rangeClosed(0, 0x180)
			.mapToObj(Character::toString)
			.flatMap((each) -> Stream.of(each, "a" + each, each + "a"));
		assertThat(Stream.concat(lengths, characters))
			.allSatisfy((name) -> assertThat(QueueNames.isValid(name)).isEqualTo(name.matches(QueueNames.PATTERN)));
	}

}
