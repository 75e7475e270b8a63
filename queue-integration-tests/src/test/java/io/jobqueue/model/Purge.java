package io.jobqueue.model;

import io.jobqueue.internal.store.MaintenanceStore.PurgePass;

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
		assertThat(world.maintenance().purge(ALL)).isEqualTo(new PurgePass(world.model().purge(), 0, 0, 0, false));
	}

	@Override
	public String toString() {
		return "the archive is purged";
	}

}
