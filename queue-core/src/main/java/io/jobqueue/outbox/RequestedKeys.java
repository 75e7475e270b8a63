package io.jobqueue.outbox;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.OnDuplicate;
import io.jobqueue.store.JobKeys;
import io.jobqueue.store.JobKeys.UniqueKey;

/**
 * Turns the keys of a request into some that can be stored, or refuses them.
 */
final class RequestedKeys {

	/**
	 * An entry of an index holds no more than 2,704 bytes, a character takes up to three
	 * of them, and the queue's name is there too.
	 */
	private static final int MAX_LENGTH = 800;

	private RequestedKeys() {
	}

	static JobKeys of(JobRequest request) {
		return new JobKeys(unique(request), named("orderedBy", request.orderingKey()),
				named("limitedBy", request.limitKey()), named("group", request.group()));
	}

	private static @Nullable UniqueKey unique(JobRequest request) {
		String key = named("key", request.key());
		if (key == null) {
			check(request.onDuplicate() == OnDuplicate.KEEP, "onDuplicate", "requires a key");
			check(request.dedupeFor() == null, "dedupeFor", "requires a key");
			return null;
		}
		check(request.onDuplicate() != OnDuplicate.DEBOUNCE || request.delay() != null || request.runAt() != null,
				"onDuplicate", "is DEBOUNCE, which requires a delay or a run-at");
		return new UniqueKey(key, request.onDuplicate(), window(request.dedupeFor()));
	}

	private static @Nullable String named(String property, @Nullable String name) {
		if (name != null) {
			StoredText.check(property, name);
			check(!name.isEmpty() && name.length() <= MAX_LENGTH, property,
					"must have 1 to %d characters, but has %d".formatted(MAX_LENGTH, name.length()));
		}
		return name;
	}

	private static @Nullable Duration window(@Nullable Duration dedupeFor) {
		check(dedupeFor == null || !dedupeFor.isNegative(), "dedupeFor", "must not be negative");
		check(RequestReader.isStorable(dedupeFor), "dedupeFor", "must not be longer than 100 years");
		return dedupeFor;
	}

	private static void check(boolean condition, String property, String reason) {
		if (!condition) {
			throw new JobRejectedException(property, reason);
		}
	}

}
