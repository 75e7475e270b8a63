package io.jobqueue.store.postgresql.jobs;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.NewJob;

/**
 * Divides jobs into batches for single statements, of at most 1,000 jobs and about 4
 * million characters or bytes of payloads and headers, to bound the memory of client and
 * server.
 */
final class Batches {

	private static final int MAX_JOBS = 1_000;

	private static final long MAX_LENGTH = 4_000_000;

	private Batches() {
	}

	static List<List<NewJob>> of(List<NewJob> jobs) {
		List<List<NewJob>> portions = new ArrayList<>();
		int start = 0;
		long length = 0;
		for (int index = 0; index < jobs.size(); index++) {
			length += length(jobs.get(index));
			if (index > start && (index - start == MAX_JOBS || length > MAX_LENGTH)) {
				portions.add(jobs.subList(start, index));
				start = index;
				length = length(jobs.get(index));
			}
		}
		portions.add(jobs.subList(start, jobs.size()));
		return portions;
	}

	private static long length(NewJob job) {
		return length(job.payload().text()) + length(job.payload().bytes()) + length(job.headers());
	}

	private static long length(@Nullable String text) {
		return (text != null) ? text.length() : 0;
	}

	private static long length(byte @Nullable [] bytes) {
		return (bytes != null) ? bytes.length : 0;
	}

}
