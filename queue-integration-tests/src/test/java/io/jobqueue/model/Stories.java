package io.jobqueue.model;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.quicktheories.core.Gen;

import static org.quicktheories.generators.SourceDSL.lists;
import static org.quicktheories.generators.SourceDSL.longs;

/**
 * Makes up stories. Every line is made of one number, and the lower half of all numbers
 * makes none: where numbers get smaller at random, stories get shorter.
 */
final class Stories {

	private static final int OPENING = 10;

	private static final int LINES = 80;

	private static final long NUMBERS = 1L << 40;

	/**
	 * So that there is something that can happen.
	 */
	private static final List<Function<Choices, Operation>> FIRST = List.of(Enqueue::any, Claim::any);

	private static final List<Function<Choices, Operation>> THEN = Stream
		.of(often(6, Enqueue::any), often(14, Claim::any), often(3, Release::any), often(10, RecordOutcomes::any),
				often(4, BeginCompletion::any), often(4, EndTransaction::any), often(4, Extend::any),
				often(5, Freeze::any), often(4, CheckIn::any), often(1, CheckOut::any), often(1, Restart::any),
				often(4, Reap::any), often(1, Purge::any), often(4, Pass::any), often(1, Reprioritise::any),
				often(1, Reschedule::any), often(1, Delete::any))
		.flatMap(Function.identity())
		.toList();

	private Stories() {
	}

	static Gen<Story> any() {
		return lines(FIRST, OPENING).zip(lines(THEN, LINES), (first,
				then) -> new Story(Stream.concat(first.stream(), then.stream()).filter(Objects::nonNull).toList()));
	}

	private static Gen<List<@Nullable Operation>> lines(List<Function<Choices, Operation>> kinds, int count) {
		return lists().of(longs().between(0, 2 * NUMBERS).map((number) -> line(kinds, number))).ofSize(count);
	}

	private static @Nullable Operation line(List<Function<Choices, Operation>> kinds, long number) {
		if (number < NUMBERS) {
			return null;
		}
		Choices choices = new Choices(number - NUMBERS);
		return choices.of(kinds).apply(choices);
	}

	private static Stream<Function<Choices, Operation>> often(int times, Function<Choices, Operation> kind) {
		return IntStream.range(0, times).mapToObj((time) -> kind);
	}

}
