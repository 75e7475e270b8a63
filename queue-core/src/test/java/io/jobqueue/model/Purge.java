package io.jobqueue.model;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The archive is purged.
 */
record Purge() implements Operation {

	private static final int ALL = 1_000;

	static Purge any(Choices choices) {
		return new Purge();
	}

	@Override
	public void happenIn(World world) {
		assertThat(world.maintenance().purge(ALL)).isEqualTo(world.model().purge());
	}

	@Override
	public String toString() {
		return "the archive is purged";
	}

}
