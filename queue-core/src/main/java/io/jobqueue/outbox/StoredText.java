package io.jobqueue.outbox;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

import io.jobqueue.JobRejectedException;

/**
 * Refuses text that a database cannot hold: the character NUL and halves of characters.
 */
final class StoredText {

	private StoredText() {
	}

	static void check(String property, String text) {
		if (text.indexOf('\0') >= 0) {
			throw new JobRejectedException(property, "contains the character NUL, which databases cannot store");
		}
		try {
			StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
		}
		catch (CharacterCodingException ex) {
			throw new JobRejectedException(property, "contains half of a surrogate pair", ex);
		}
	}

}
