package io.jobqueue.outbox;

import io.jobqueue.JobRejectedException;

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
		for (int index = 0; index < text.length(); index++) {
			char each = text.charAt(index);
			if (each >= Character.MIN_SURROGATE && each <= Character.MAX_SURROGATE && !isPair(text, index++)) {
				throw new JobRejectedException(property, "contains an unpaired surrogate");
			}
		}
	}

	private static boolean isPair(String text, int index) {
		return index + 1 < text.length() && Character.isSurrogatePair(text.charAt(index), text.charAt(index + 1));
	}

}
