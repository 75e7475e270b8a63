package io.jobqueue.model;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node gives back what it never heard to have claimed.
 */
record GiveBack(Node node) implements Operation {

	static GiveBack any(Choices choices) {
		return new GiveBack(Node.any(choices));
	}

	@Override
	public void happenIn(World world) {
		LiveNode live = world.node(this.node);
		List<Long> unseen = live.takeUnseen();
		assertThat(world.jobs().giveBack(live.worker(), unseen)).hasSize(world.model().giveBack(live.worker(), unseen));
	}

	@Override
	public String toString() {
		return "%s gives back the claims that it heard nothing of".formatted(this.node);
	}

}
