package io.jobqueue;

/**
 * The numbers of the members of a batch. Those of a finished batch no longer change.
 *
 * @param total the number of members
 * @param succeeded the members that have succeeded
 * @param dead the members that are dead
 * @param cancelled the members that were cancelled or deleted
 */
public record BatchInfo(long total, long succeeded, long dead, long cancelled) {

	/**
	 * Return the number of members that have not ended.
	 * @return the number
	 */
	public long unfinished() {
		return this.total - this.succeeded - this.dead - this.cancelled;
	}

	/**
	 * Return the number of members that ended without success.
	 * @return the number of dead and cancelled ones
	 */
	public long failed() {
		return this.dead + this.cancelled;
	}

}
