package io.jobqueue.benchmark.frame;

import java.util.Map;

/**
 * How large the measurements are: whole, unless {@code BENCH_SCALE} and
 * {@code BENCH_ROUNDS} say otherwise for the sake of development.
 *
 * @param factor what every size is multiplied with
 * @param rounds how often contenders alternate
 */
public record Scale(double factor, int rounds) {

	private static final int ROUNDS = 5;

	/**
	 * Read the scale from variables of the environment; those that are missing stand for
	 * a whole run. It is not checked whether the numbers make sense.
	 * @param environment the variables
	 * @return the scale
	 * @throws UsageException if one of them is not a number, or the rounds are not an
	 * integer
	 */
	public static Scale of(Map<String, String> environment) {
		try {
			return new Scale(Double.parseDouble(environment.getOrDefault("BENCH_SCALE", "1")),
					Integer.parseInt(environment.getOrDefault("BENCH_ROUNDS", String.valueOf(ROUNDS))));
		}
		catch (NumberFormatException ex) {
			throw new UsageException("BENCH_SCALE and BENCH_ROUNDS must be numbers: " + ex.getMessage());
		}
	}

	/**
	 * Return whether sizes and rounds are those of a whole run, so that its figures may
	 * be compared with others.
	 * @return {@code true} if they are
	 */
	public boolean isWhole() {
		return this.factor == 1 && this.rounds == ROUNDS;
	}

	/**
	 * Scale a size.
	 * @param whole the size of a whole run
	 * @return the size to use, at least 1
	 */
	int of(int whole) {
		return (int) Math.max(1, Math.round(whole * this.factor));
	}

}
