package io.jobqueue.model;

import java.util.Comparator;

/**
 * A time that was written. The clock of a story counts minutes, but some real time passes
 * from write to write.
 *
 * @param minute the minute
 * @param write which write it was
 */
record Moment(int minute, int write) implements Comparable<Moment> {

	private static final Comparator<Moment> ORDER = Comparator.comparingInt(Moment::minute)
		.thenComparingInt(Moment::write);

	@Override
	public int compareTo(Moment other) {
		return ORDER.compare(this, other);
	}

}
