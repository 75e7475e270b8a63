package io.jobqueue.model;

import java.util.UUID;

/**
 * What names a claim.
 */
record ClaimKey(UUID worker, long number) {

	@Override
	public String toString() {
		return "%s#%d".formatted(Ids.worker(this.worker), this.number);
	}

}
