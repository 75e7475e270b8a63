package io.jobqueue;

/**
 * Decides which jobs a recurring job enqueues for ticks that were missed: those whose
 * time passed while no node could enqueue them. Missed ticks of the last 24 hours are
 * considered; all older ones together enqueue nothing and are counted as one missed tick.
 */
public enum Misfire {

	/**
	 * Enqueue one job for all missed ticks, with the time of the last one.
	 */
	ONCE,

	/**
	 * Enqueue one job for the last missed tick if it is at most a minute late, else none.
	 */
	SKIP,

	/**
	 * Enqueue a job for each missed tick, at most 1,000, the oldest first. The others are
	 * counted as missed.
	 */
	ALL

}
