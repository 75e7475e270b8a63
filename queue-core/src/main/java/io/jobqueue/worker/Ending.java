package io.jobqueue.worker;

import java.util.function.Supplier;

import io.jobqueue.store.Outcome;

/**
 * How a run ended.
 *
 * @param failed whether something was thrown
 * @param outcome what tells what becomes of the job, which nobody asks for if that is
 * already settled
 */
record Ending(boolean failed, Supplier<Outcome> outcome) {

	static Ending returned(Supplier<Outcome> outcome) {
		return new Ending(false, outcome);
	}

	static Ending thrown(Supplier<Outcome> outcome) {
		return new Ending(true, outcome);
	}

}
