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

	private static final int LINES = 80;

	private static final long NUMBERS = 1L << 40;

	private static final List<Function<Choices, Operation>> KINDS = Stream
		.of(often(10, Enqueue::any), often(16, Claim::any), often(2, GiveBack::any), often(9, Settle::any),
				often(4, BeginCompletion::any), often(4, EndTransaction::any), often(3, Extend::any),
				often(6, CheckIn::any), often(1, CheckOut::any), often(1, Restart::any), often(5, Reap::any),
				often(1, Purge::any), often(6, Pass::any), often(2, Reprioritise::any), often(2, Reschedule::any),
				often(1, Delete::any))
		.flatMap(Function.identity())
		.toList();

	private Stories() {
	}

	static Gen<Story> any() {
		return lists().of(longs().between(0, 2 * NUMBERS).map(Stories::line))
			.ofSize(LINES)
			.map((lines) -> new Story(lines.stream().filter(Objects::nonNull).toList()));
	}

	private static @Nullable Operation line(long number) {
		return (number < NUMBERS) ? null : operation(new Choices(number - NUMBERS));
	}

	private static Operation operation(Choices choices) {
		return choices.of(KINDS).apply(choices);
	}

	private static Stream<Function<Choices, Operation>> often(int times, Function<Choices, Operation> kind) {
		return IntStream.range(0, times).mapToObj((time) -> kind);
	}

}
