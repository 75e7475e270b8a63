package io.jobqueue.internal.dashboard.view;

/**
 * Lets tests read anew what pages have cached.
 */
public final class CachedReadings {

	private CachedReadings() {
	}

	/**
	 * Let all cached values become too old.
	 */
	public static void expire() {
		CachedReading.skipMaxAge();
	}

}
