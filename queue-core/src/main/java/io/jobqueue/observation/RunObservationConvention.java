package io.jobqueue.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Defines the names and keys of observations of attempts. A bean of this type replaces
 * {@link DefaultRunObservationConvention}. If it throws, the attempt fails.
 */
public interface RunObservationConvention extends ObservationConvention<RunObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof RunObservationContext;
	}

}
