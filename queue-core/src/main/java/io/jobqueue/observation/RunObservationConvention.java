package io.jobqueue.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and keys of the observation of an attempt. A bean of this type replaces
 * {@link DefaultRunObservationConvention}. What it throws fails the attempt.
 */
public interface RunObservationConvention extends ObservationConvention<RunObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof RunObservationContext;
	}

}
