package io.jobqueue.model;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The reaper looks.
 */
record Reap() implements Operation {

	static Reap any(Choices choices) {
		return new Reap();
	}

	@Override
	public void happenIn(World world) {
		assertThat(ExpectedPass.of(world.maintenance().reap())).isEqualTo(world.model().reap());
	}

	@Override
	public String toString() {
		return "the reaper looks";
	}

}
