package io.jobqueue.store;

/**
 * Why a waiting job could not be claimed by its id.
 */
public enum Hindrance {

	/**
	 * It follows another job with its unique key.
	 */
	PREDECESSOR,

	/**
	 * Another job of its ordering key comes first.
	 */
	ORDER,

	/**
	 * The jobs of its limit key have all slots.
	 */
	SLOT,

	/**
	 * Another transaction has it locked.
	 */
	LOCK,

	/**
	 * None of these: the limits of its queue have no room, or had none.
	 */
	LIMIT

}
