package io.jobqueue.model;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Jobs are enqueued.
 */
record Enqueue(int count, Draft draft) implements Operation {

	static Enqueue any(Choices choices) {
		return new Enqueue(1 + choices.below(2), Draft.any(choices));
	}

	@Override
	public void happenIn(World world) {
		List<UUID> ids = Stream.generate(world::newId).limit(this.count).toList();
		world.jobs().enqueue(ids.stream().map(this.draft::job).toList());
		ids.forEach((id) -> world.model().add(new ModelJob(id, this.draft, world.model().clock())));
	}

	@Override
	public String toString() {
		return "%d × enqueue %s".formatted(this.count, this.draft);
	}

}
