package io.jobqueue.benchmark.drain;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.timing.Progress;
import io.jobqueue.benchmark.timing.Rate;

/**
 * The rates of one contender by quarters of its run, round by round.
 */
final class QuarterRounds {

	static final List<String> QUARTERS = List.of("first", "second", "third", "last");

	private final String name;

	private final List<Progress> rounds = new ArrayList<>();

	QuarterRounds(String name) {
		this.name = name;
	}

	Contender contender(Round round) {
		return new Contender(this.name, () -> {
			Progress progress = round.run();
			this.rounds.add(progress);
			return progress.rate();
		});
	}

	double rate() {
		return median(Progress::rate);
	}

	double lastToFirst() {
		return median((progress) -> progress.rate(3, 4) / progress.rate(0, 1));
	}

	List<Double> quarters() {
		return IntStream.range(0, QUARTERS.size())
			.mapToObj((quarter) -> median((progress) -> progress.rate(quarter, quarter + 1)))
			.toList();
	}

	private double median(ToDoubleFunction<Progress> figure) {
		return Rate.median(this.rounds.stream().mapToDouble(figure).toArray());
	}

	/**
	 * Runs once.
	 */
	@FunctionalInterface
	interface Round {

		Progress run() throws Exception;

	}

}
