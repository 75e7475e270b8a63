package io.jobqueue.model;

import java.util.Set;
import java.util.stream.Collectors;

/**
 * The clock of the database jumps, ahead or back, and all nodes but the silent ones check
 * in.
 */
record Pass(int minutes, Set<Node> silent) implements Operation {

	static Pass any(Choices choices) {
		return new Pass(choices.of(10, 5, 15, 30, 60, -5, -30),
				Node.ALL.stream().filter((node) -> choices.oneIn(3)).collect(Collectors.toSet()));
	}

	@Override
	public void happenIn(World world) {
		world.database().pass(this.minutes);
		world.model().clock().pass(this.minutes);
		Node.ALL.stream().filter((node) -> !this.silent.contains(node)).forEach(world::checkIn);
	}

	@Override
	public String toString() {
		return "%d min pass; silent: %s".formatted(this.minutes, this.silent);
	}

}
