package io.jobqueue.model;

import java.util.List;
import java.util.UUID;

import io.jobqueue.internal.store.ClaimedJob;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A handler asks for another time to run.
 */
record Extend(int choice, int minutes) implements Operation {

	static Extend any(Choices choices) {
		return new Extend(choices.below(12), choices.of(60, 5));
	}

	@Override
	public void happenIn(World world) {
		world.anyHolding((node) -> true, this.choice)
			.ifPresent((holding) -> extend(world, world.node(holding.node()).worker(), holding.job()));
	}

	private void extend(World world, UUID worker, ClaimedJob job) {
		boolean held = world.model().holds(worker, job);
		assertThat(world.jobs().extendLeases(worker, List.of(job), Minutes.runTime(this.minutes)).contains(job.id()))
			.as("extension of %s", job)
			.isEqualTo(held);
		if (held) {
			world.model().job(job).extended(world.model().clock().now() + this.minutes);
		}
	}

	@Override
	public String toString() {
		return "who claimed number %d extends it to %d min from now".formatted(this.choice, this.minutes);
	}

}
