package io.jobqueue.store;

import java.util.Collection;
import java.util.List;

/**
 * What outcomes mean for jobs that wait for others.
 *
 * @param probes what they tell about queues that probe their retries
 * @param freed the keys of those that are not claimed any more, to be handed over
 */
public record Consequences(Collection<Probe> probes, Collection<HeldKeys> freed) {

	/**
	 * Nobody waits.
	 */
	public static final Consequences NONE = new Consequences(List.of(), List.of());

}
