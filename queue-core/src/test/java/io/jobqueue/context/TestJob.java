package io.jobqueue.context;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.payload.Headers;
import io.jobqueue.store.ClaimedJob;

/**
 * A job with headers.
 */
record TestJob(Map<String, String> headers) {

	ClaimedJob claimed() {
		return new ClaimedJob(new UUID(0, 0), 1, "emails", "mail", Encoded.ofText("{}"), 10, Instant.EPOCH, 1, 1, 0, 25,
				Duration.ofHours(1), Instant.EPOCH, Headers.encode(this.headers), null, null, null, false, false, 0);
	}

}
