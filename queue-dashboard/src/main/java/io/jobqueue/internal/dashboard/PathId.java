package io.jobqueue.internal.dashboard;

import java.util.Optional;
import java.util.UUID;

/**
 * Reads ids of jobs and batches from addresses.
 */
public final class PathId {

	private PathId() {
	}

	/**
	 * Return the id that a text contains.
	 * @param text a part of an address
	 * @return the id, empty if the text is none
	 */
	public static Optional<UUID> of(String text) {
		try {
			return Optional.of(UUID.fromString(text));
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

}
