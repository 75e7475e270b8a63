package io.jobqueue.outbox;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;

/**
 * Makes requests of what callers hand over.
 */
final class Requests {

	private Requests() {
	}

	/**
	 * Return the requests for several jobs, in their order.
	 * @throws JobRejectedException if there is a {@code null}, by its index
	 */
	static List<JobRequest> ofAll(@Nullable Collection<?> requestsOrPayloads) {
		if (requestsOrPayloads == null) {
			throw missing("requestsOrPayloads");
		}
		List<JobRequest> requests = new ArrayList<>(requestsOrPayloads.size());
		for (Object each : requestsOrPayloads) {
			requests.add(of("requestsOrPayloads[" + requests.size() + "]", each));
		}
		return List.copyOf(requests);
	}

	/**
	 * Return the request that is one already, or else asks for a job with that payload.
	 */
	static JobRequest of(String property, @Nullable Object requestOrPayload) {
		if (requestOrPayload == null) {
			throw missing(property);
		}
		return (requestOrPayload instanceof JobRequest request) ? request : JobRequest.of(requestOrPayload);
	}

	private static JobRejectedException missing(String property) {
		return new JobRejectedException(property, "must not be null");
	}

}
