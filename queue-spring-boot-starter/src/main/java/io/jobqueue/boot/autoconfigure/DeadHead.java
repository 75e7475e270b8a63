package io.jobqueue.boot.autoconfigure;

/**
 * What a dead job does to the others of its ordering key.
 */
enum DeadHead {

	/**
	 * The next one goes on.
	 */
	CONTINUE,

	/**
	 * They wait until it is gone from the archive.
	 */
	HOLD

}
