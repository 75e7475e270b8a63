package io.jobqueue.internal.boot.metrics;

import java.lang.ref.WeakReference;

import static org.awaitility.Awaitility.await;

/**
 * Collects garbage.
 */
public final class GarbageCollection {

	private GarbageCollection() {
	}

	/**
	 * Run the garbage collector until it has collected an object.
	 */
	public static void run() {
		WeakReference<Object> reference = new WeakReference<>(new Object());
		await().until(() -> {
			System.gc();
			return reference.get() == null;
		});
	}

}
