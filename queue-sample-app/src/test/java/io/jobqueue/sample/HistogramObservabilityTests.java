package io.jobqueue.sample;

/**
 * Timers with buckets.
 */
class HistogramObservabilityTests extends ObservabilityTestBase {

	HistogramObservabilityTests() {
		super(true);
	}

}
