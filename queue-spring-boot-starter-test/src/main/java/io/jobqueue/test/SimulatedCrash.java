package io.jobqueue.test;

/**
 * Ends a run without an outcome. It is an {@link Error} so that nothing between the
 * handler's transaction and the run handles it.
 */
final class SimulatedCrash extends Error {

	private static final long serialVersionUID = 1L;

	SimulatedCrash(CrashPoint point) {
		super("Simulated crash at " + point, null, false, false);
	}

}
