package io.jobqueue.pull;

import io.jobqueue.observation.Interceptors;
import io.jobqueue.payload.JobTypes;
import io.jobqueue.payload.PayloadCodecs;
import io.jobqueue.worker.WorkerParts;

/**
 * The parts of a puller.
 *
 * @param worker what a worker works with
 * @param types the known types
 * @param codecs what decodes payloads
 * @param interceptors the interceptors around handlers of pulled jobs
 * @param listen starts LISTEN for the commits of other nodes, where it is available
 */
public record PullerParts(WorkerParts worker, JobTypes types, PayloadCodecs codecs, Interceptors interceptors,
		Runnable listen) {
}
