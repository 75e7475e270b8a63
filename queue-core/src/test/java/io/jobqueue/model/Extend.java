package io.jobqueue.model;

import java.time.Duration;
import java.util.UUID;

import io.jobqueue.store.ClaimedJob;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A handler asks for another time to run.
 */
record Extend(Node node, int first, int minutes) implements Operation {

	static Extend any(Choices choices) {
		return new Extend(Node.any(choices), choices.below(4), choices.of(60, 5));
	}

	@Override
	public void happenIn(World world) {
		world.node(this.node).some(this.first, 1).forEach((job) -> extend(world, job));
	}

	private void extend(World world, ClaimedJob job) {
		UUID worker = world.node(this.node).worker();
		boolean held = world.model().holds(worker, job);
		assertThat(world.jobs().renew(worker, job, Duration.ofMinutes(this.minutes))).isEqualTo(held);
		if (held) {
			world.model().job(job).renewed(world.model().clock().now() + this.minutes);
		}
	}

	@Override
	public String toString() {
		return "%s extends its job number %d to %d min from now".formatted(this.node, this.first, this.minutes);
	}

}
