package io.jobqueue.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Defines the names and keys of observations of calls that enqueue jobs. A bean of this
 * type replaces {@link DefaultEnqueueObservationConvention}. If it throws, the call
 * fails.
 */
public interface EnqueueObservationConvention extends ObservationConvention<EnqueueObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof EnqueueObservationContext;
	}

}
