package io.jobqueue.outbox;

import io.jobqueue.JobRejectedException;
import io.jobqueue.store.StorableText;

/**
 * Rejects text that the database cannot store: the character NUL and unpaired surrogates.
 */
final class StoredText {

	private StoredText() {
	}

	static void check(String property, String text) {
		if (text.indexOf('\0') >= 0) {
			throw new JobRejectedException(property, "contains the character NUL, which databases cannot store");
		}
		if (!StorableText.isStorable(text)) {
			throw new JobRejectedException(property, "contains an unpaired surrogate");
		}
	}

}
