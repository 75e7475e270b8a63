package io.jobqueue.model;

import java.util.Set;

/**
 * Suspends a node until the others consider it dead; it resumes without noticing.
 */
record Freeze(int choice) implements Operation {

	private static final int MINUTES = (int) ModelWorkers.TIMEOUT.toMinutes();

	static Freeze any(Choices choices) {
		return new Freeze(choices.below(3));
	}

	@Override
	public void happenIn(World world) {
		world.anyNode((node) -> !node.idle().isEmpty(), this.choice).ifPresent((node) -> {
			new Pass(MINUTES, Set.of(node)).happenIn(world);
			new Reap().happenIn(world);
			new CheckIn(node).happenIn(world);
		});
	}

	@Override
	public String toString() {
		return "holder number %d is frozen for %d min, reaped, and comes back".formatted(this.choice, MINUTES);
	}

}
