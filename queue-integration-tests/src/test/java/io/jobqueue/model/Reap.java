package io.jobqueue.model;

import io.jobqueue.internal.store.MaintenanceStore.ReaperPass;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The reaper looks. No job here waits for another.
 */
record Reap() implements Operation {

	static Reap any(Choices choices) {
		return new Reap();
	}

	@Override
	public void happenIn(World world) {
		ReaperPass pass = world.maintenance().reap(null);
		assertThat(ExpectedPass.of(pass)).isEqualTo(world.model().reap());
		assertThat(pass.waiting()).isFalse();
	}

	@Override
	public String toString() {
		return "the reaper looks";
	}

}
