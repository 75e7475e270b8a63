package io.jobqueue.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and keys of the observation of a call that enqueues jobs. A bean of this type
 * replaces {@link DefaultEnqueueObservationConvention}. What it throws refuses the call.
 */
public interface EnqueueObservationConvention extends ObservationConvention<EnqueueObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof EnqueueObservationContext;
	}

}
