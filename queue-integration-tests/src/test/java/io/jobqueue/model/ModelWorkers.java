package io.jobqueue.model;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * When each worker was last active.
 */
final class ModelWorkers {

	static final Duration TIMEOUT = Duration.ofMinutes(10);

	private final ModelClock clock;

	private final Map<UUID, Integer> lastActive = new HashMap<>();

	ModelWorkers(ModelClock clock) {
		this.clock = clock;
	}

	/**
	 * Return whether it was known before.
	 */
	boolean checkIn(UUID worker) {
		return this.lastActive.put(worker, this.clock.now()) != null;
	}

	void checkOut(UUID worker) {
		this.lastActive.remove(worker);
	}

	boolean isAlive(UUID worker) {
		return this.lastActive.containsKey(worker)
				&& !this.clock.isReached(this.lastActive.get(worker) + (int) TIMEOUT.toMinutes());
	}

	/**
	 * Return the names of the silent ones that were removed.
	 */
	Set<String> forgetSilentBut(Set<UUID> claimants) {
		List<UUID> silent = this.lastActive.keySet()
			.stream()
			.filter((worker) -> !isAlive(worker) && !claimants.contains(worker))
			.toList();
		this.lastActive.keySet().removeAll(Set.copyOf(silent));
		return silent.stream().map(Ids::worker).collect(Collectors.toSet());
	}

	/**
	 * The reaper counts from now on for workers that were last active in the future.
	 */
	void bringBack() {
		int now = this.clock.now();
		this.lastActive.replaceAll((worker, at) -> (at > now + TIMEOUT.toMinutes()) ? now : at);
	}

	Map<UUID, Integer> snapshot() {
		return Map.copyOf(this.lastActive);
	}

}
