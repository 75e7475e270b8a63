package io.jobqueue.worker;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.Outcome;

/**
 * How a run ended.
 *
 * @param thrown what was thrown, {@code null} if nothing was
 * @param outcome what tells what becomes of the job, which nobody asks for if that is
 * already settled
 */
record Ending(@Nullable Throwable thrown, Supplier<Outcome> outcome) {

	static Ending returned(Supplier<Outcome> outcome) {
		return new Ending(null, outcome);
	}

	static Ending thrown(Throwable thrown, Supplier<Outcome> outcome) {
		return new Ending(thrown, outcome);
	}

}
