package io.jobqueue.benchmark.cold;

/**
 * The figures of one task in a fresh JVM.
 *
 * @param value jobs per second, or the median of the latencies in ms
 * @param p99 the 99th percentile of the latencies in ms, equal to the value if it is not
 * a latency
 */
record ColdFigures(double value, double p99) {

	private static final String SEPARATOR = " ";

	static ColdFigures of(double value) {
		return new ColdFigures(value, value);
	}

	static ColdFigures parse(String line) {
		String[] parts = line.split(SEPARATOR, 2);
		return new ColdFigures(Double.parseDouble(parts[0]), Double.parseDouble(parts[1]));
	}

	String line() {
		return this.value + SEPARATOR + this.p99;
	}

}
