package io.jobqueue.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * What tells whoever has handed over an outcome whether it was written.
 */
final class Receipt {

	private static final Duration PATIENCE = Duration.ofMillis(100);

	private final CountDownLatch answered = new CountDownLatch(1);

	private volatile boolean written;

	private volatile @Nullable RuntimeException refusal;

	/**
	 * What is said first counts.
	 */
	void answer(boolean written) {
		if (this.answered.getCount() > 0) {
			this.written = written;
			this.answered.countDown();
		}
	}

	void refuse(RuntimeException refusal) {
		this.refusal = refusal;
		this.answered.countDown();
	}

	/**
	 * Wait for the answer, even when interrupted.
	 * @param vain whether there will be none
	 * @return whether the outcome was written, {@code null} if nobody knows
	 */
	@Nullable Boolean await(BooleanSupplier vain) {
		boolean interrupted = false;
		while (this.answered.getCount() > 0 && !vain.getAsBoolean()) {
			try {
				boolean unused = this.answered.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return answer();
	}

	private @Nullable Boolean answer() {
		RuntimeException known = this.refusal;
		if (known != null) {
			throw known;
		}
		return (this.answered.getCount() == 0) ? this.written : null;
	}

}
