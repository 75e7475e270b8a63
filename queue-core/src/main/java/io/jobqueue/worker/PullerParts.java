package io.jobqueue.worker;

import io.jobqueue.interceptor.Interceptors;
import io.jobqueue.payload.JobTypes;
import io.jobqueue.payload.PayloadCodecs;

/**
 * What lets threads pull jobs.
 *
 * @param worker what a worker works with
 * @param types the known types
 * @param codecs what decodes payloads
 * @param interceptors what stands around the handlers that pulled jobs are given to
 * @param listen has commits of other nodes heard from now on, if they can be
 */
public record PullerParts(WorkerParts worker, JobTypes types, PayloadCodecs codecs, Interceptors interceptors,
		Runnable listen) {
}
