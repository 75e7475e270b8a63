package io.jobqueue.internal.pull;

import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.PayloadCodecs;
import io.jobqueue.internal.worker.WorkerServices;
import io.jobqueue.observation.Interceptors;

/**
 * The services that a puller uses.
 *
 * @param worker those of a worker
 * @param types the known types
 * @param codecs the codecs of payloads
 * @param interceptors the interceptors around handlers of pulled jobs
 * @param listen starts LISTEN for the commits of other nodes, if it is available
 */
public record PullerServices(WorkerServices worker, JobTypes types, PayloadCodecs codecs, Interceptors interceptors,
		Runnable listen) {
}
