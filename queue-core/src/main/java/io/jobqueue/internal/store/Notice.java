package io.jobqueue.internal.store;

import java.time.Duration;

/**
 * A change, other than of jobs, that the workers of all nodes react to.
 */
public sealed interface Notice {

	/**
	 * Queues or types were paused or resumed.
	 */
	record PausesChanged() implements Notice {
	}

	/**
	 * A schedule that was saved at run time has its next tick.
	 *
	 * @param in the time until the tick, not positive if it is due
	 */
	record TickDue(Duration in) implements Notice {
	}

}
