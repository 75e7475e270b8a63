package io.jobqueue.model;

/**
 * The clock of a story, in minutes.
 */
final class ModelClock {

	private int now;

	private int writes;

	int now() {
		return this.now;
	}

	void pass(int minutes) {
		this.now += minutes;
	}

	boolean isReached(int minute) {
		return minute <= this.now;
	}

	/**
	 * Return what is written now for a time that is so many minutes ahead.
	 */
	Moment in(int minutes) {
		return new Moment(this.now + minutes, this.writes);
	}

	void write() {
		this.writes++;
	}

}
