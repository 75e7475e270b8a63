package io.jobqueue.harness;

import java.util.concurrent.CountDownLatch;

/**
 * Blocks handlers or listeners until the test releases them.
 */
public final class BlockedHandler {

	private final CountDownLatch begun = new CountDownLatch(1);

	private final CountDownLatch release = new CountDownLatch(1);

	/**
	 * Block until released or interrupted. Called by a handler.
	 * @throws InterruptedException if the thread is interrupted
	 */
	public void block() throws InterruptedException {
		this.begun.countDown();
		this.release.await();
	}

	/**
	 * Block until released, whether or not the thread is interrupted. Called by a
	 * handler.
	 */
	public void blockUninterruptibly() {
		this.begun.countDown();
		while (this.release.getCount() > 0) {
			try {
				this.release.await();
			}
			catch (InterruptedException ex) {
				// ignored: this is a handler that does not end when interrupted
			}
		}
	}

	/**
	 * Wait until a handler blocks.
	 * @throws InterruptedException if the thread is interrupted
	 */
	public void awaitBegun() throws InterruptedException {
		this.begun.await();
	}

	/**
	 * Release all handlers that block or will block.
	 */
	public void release() {
		this.release.countDown();
	}

}
