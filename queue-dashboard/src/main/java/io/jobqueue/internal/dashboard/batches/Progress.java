package io.jobqueue.internal.dashboard.batches;

import java.util.Locale;

import io.jobqueue.BatchInfo;

/**
 * How far a batch is, as widths of a bar of 1,000. Each kind of end that has a member is
 * visible.
 *
 * @param succeeded the width of the succeeded members
 * @param cancelled the width of the cancelled members
 * @param dead the width of the dead members
 * @param text the progress in words
 */
public record Progress(long succeeded, long cancelled, long dead, String text) {

	private static final long WIDTH = 1_000;

	private static final long MIN_WIDTH = 15;

	static Progress of(BatchInfo members) {
		long ended = members.total() - members.unfinished();
		return new Progress(width(members.succeeded(), members.total()), width(members.cancelled(), members.total()),
				width(members.dead(), members.total()),
				(members.total() == 0) ? "no members" : String.format(Locale.ENGLISH, "%,d of %,d ended, %s %%", ended,
						members.total(), percent(ended, members.total())));
	}

	/**
	 * Not all is only 100 % if all is.
	 */
	private static long percent(long part, long total) {
		return (long) Math.floor(100.0 * part / total);
	}

	private static long width(long part, long total) {
		return (part == 0) ? 0 : Math.max(MIN_WIDTH, Math.round((double) WIDTH * part / total));
	}

}
