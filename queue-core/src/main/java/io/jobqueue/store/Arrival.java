package io.jobqueue.store;

import java.time.Duration;

/**
 * Jobs of a tier that wait to be claimed from now on: they are new, or they are back.
 *
 * @param tier where they wait
 * @param position the place of the first, or one before it
 * @param dueIn how long until the first is due, zero if it is
 * @param gated whether some of them have to be admitted before they can be claimed
 */
public record Arrival(Tier tier, JobPosition position, Duration dueIn, boolean gated) {

	/**
	 * That of no job, so that no job's arrival takes the place of a free slot.
	 */
	private static final int PRIORITY_OF_SLOTS = 100;

	/**
	 * Create an arrival of jobs that can be claimed when they are due.
	 * @param tier where they wait
	 * @param position the place of the first, or one before it
	 * @param dueIn how long until the first is due
	 */
	public Arrival(Tier tier, JobPosition position, Duration dueIn) {
		this(tier, position, dueIn, false);
	}

	/**
	 * Return what tells that one of the slots of a queue is free, which its jobs may have
	 * been waiting for in any tier.
	 * @param queue the queue
	 * @return an arrival behind all jobs
	 */
	public static Arrival ofFreedSlot(String queue) {
		return new Arrival(new Tier(queue, PRIORITY_OF_SLOTS), JobPosition.END, Duration.ZERO);
	}

	/**
	 * Return whether this is no job, but room for one.
	 * @return {@code true} if a slot is free
	 */
	public boolean isFreedSlot() {
		return this.tier.priority() == PRIORITY_OF_SLOTS;
	}

	/**
	 * Return one arrival for two of the same tier.
	 * @param other the other one
	 * @return the earlier place and the shorter time
	 */
	public Arrival and(Arrival other) {
		return new Arrival(this.tier, JobPosition.earlier(this.position, other.position),
				(this.dueIn.compareTo(other.dueIn) <= 0) ? this.dueIn : other.dueIn, this.gated || other.gated);
	}

	/**
	 * Return the same arrival as seen some time later.
	 * @param elapsed the time
	 * @return the same place and what is left of the time
	 */
	public Arrival after(Duration elapsed) {
		Duration left = this.dueIn.minus(elapsed);
		return this.dueIn.isZero() ? this
				: new Arrival(this.tier, this.position, left.isNegative() ? Duration.ZERO : left, this.gated);
	}

}
