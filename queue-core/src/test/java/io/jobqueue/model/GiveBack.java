package io.jobqueue.model;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node gives back claims whose answer it did not receive.
 */
record GiveBack(int choice) implements Operation {

	static GiveBack any(Choices choices) {
		return new GiveBack(choices.below(3));
	}

	@Override
	public void happenIn(World world) {
		world.anyNode(LiveNode::hasMissedSomething, this.choice)
			.map(world::node)
			.ifPresent((live) -> giveBack(world, live));
	}

	private static void giveBack(World world, LiveNode live) {
		List<Long> unseen = live.takeUnseen();
		assertThat(world.jobs().giveBack(live.worker(), unseen)).hasSize(world.model().giveBack(live.worker(), unseen));
	}

	@Override
	public String toString() {
		return "node number %d of those that missed something gives it back".formatted(this.choice);
	}

}
