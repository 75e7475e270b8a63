package io.jobqueue.outbox;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobRejectedException;
import io.jobqueue.store.DatabaseEncoding;
import io.jobqueue.store.StorableText;

/**
 * Rejects text that the database cannot store: the character NUL, unpaired surrogates,
 * and characters that the encoding of the database lacks.
 */
record StoredText(DatabaseEncoding encoding) {

	void check(String property, String text) {
		if (text.indexOf('\0') >= 0) {
			throw new JobRejectedException(property, "contains the character NUL, which databases cannot store");
		}
		if (!StorableText.isStorable(text)) {
			throw new JobRejectedException(property, "contains an unpaired surrogate");
		}
		checkEncoding(property, text);
	}

	void checkEncoding(String property, String text) {
		String refusal = this.encoding.refusal(text);
		if (refusal != null) {
			throw new JobRejectedException(property, refusal);
		}
	}

	@Nullable String replaced(@Nullable String text) {
		return (text != null) ? this.encoding.replaced(text) : null;
	}

}
