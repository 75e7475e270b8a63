package io.jobqueue.boot.metrics;

import java.lang.ref.WeakReference;

import static org.awaitility.Awaitility.await;

/**
 * What nobody holds.
 */
public final class GarbageCollection {

	private GarbageCollection() {
	}

	/**
	 * Have it collected.
	 */
	public static void collect() {
		WeakReference<Object> canary = new WeakReference<>(new Object());
		await().until(() -> {
			System.gc();
			return canary.get() == null;
		});
	}

}
