package io.jobqueue.model;

/**
 * A node is killed and starts again. Its transaction ends with its connection.
 */
record Restart(Node node) implements Operation {

	static Restart any(Choices choices) {
		return new Restart(Node.any(choices));
	}

	@Override
	public void happenIn(World world) {
		world.rollBack(this.node);
		world.node(this.node).restart();
		world.checkIn(this.node);
	}

	@Override
	public String toString() {
		return "%s is killed and starts again".formatted(this.node);
	}

}
