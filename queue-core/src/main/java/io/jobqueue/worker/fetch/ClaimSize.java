package io.jobqueue.worker.fetch;

import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.ClaimRequest;

/**
 * Adapts the size of claims to the memory of this JVM and of the database. A claim that
 * fails for lack of memory halves the jobs and bytes of the next ones, down to a single
 * job; a full claim that succeeds adds a sixteenth of the full size.
 */
final class ClaimSize {

	private static final int FULL = 1024;

	private static final int STEP = FULL / 16;

	private static final String OUT_OF_MEMORY = "53200";

	private int size = FULL;

	ClaimRequest applyTo(ClaimRequest request) {
		if (this.size == FULL) {
			return request;
		}
		int jobs = Math.max(1, (int) ((long) request.quota() * this.size / FULL));
		return request.within(jobs, request.bytes() / FULL * this.size);
	}

	void failed(Throwable failure) {
		if (isOutOfMemory(failure)) {
			this.size = Math.max(1, this.size / 2);
		}
	}

	/**
	 * Note a claim that succeeded.
	 * @param full whether the claim reached its size; others do not show whether the
	 * memory suffices
	 */
	void succeeded(boolean full) {
		if (full) {
			this.size = Math.min(FULL, this.size + STEP);
		}
	}

	private static boolean isOutOfMemory(Throwable failure) {
		for (Throwable each = failure; each != null; each = each.getCause()) {
			if (each instanceof OutOfMemoryError || OUT_OF_MEMORY.equals(state(each))) {
				return true;
			}
		}
		return false;
	}

	private static @Nullable String state(Throwable failure) {
		return (failure instanceof SQLException exception) ? exception.getSQLState() : null;
	}

}
