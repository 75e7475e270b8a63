package io.jobqueue.model;

/**
 * A node sends a heartbeat.
 */
record CheckIn(Node node) implements Operation {

	static CheckIn any(Choices choices) {
		return new CheckIn(Node.any(choices));
	}

	@Override
	public void happenIn(World world) {
		world.checkIn(this.node);
	}

	@Override
	public String toString() {
		return "%s checks in".formatted(this.node);
	}

}
