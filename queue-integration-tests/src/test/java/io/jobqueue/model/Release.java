package io.jobqueue.model;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node releases claims whose answer it did not receive.
 */
record Release(int choice) implements Operation {

	static Release any(Choices choices) {
		return new Release(choices.below(3));
	}

	@Override
	public void happenIn(World world) {
		world.anyNode(LiveNode::hasMissedSomething, this.choice)
			.map(world::node)
			.ifPresent((live) -> release(world, live));
	}

	private static void release(World world, LiveNode live) {
		List<Long> unseen = live.takeUnseen();
		assertThat(world.jobs().release(live.worker(), unseen)).hasSize(world.model().release(live.worker(), unseen));
	}

	@Override
	public String toString() {
		return "node number %d of those that missed something gives it back".formatted(this.choice);
	}

}
