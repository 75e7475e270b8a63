package io.jobqueue.model;

/**
 * A node checks out. Other nodes may take the jobs that it still holds.
 */
record CheckOut(Node node) implements Operation {

	static CheckOut any(Choices choices) {
		return new CheckOut(Node.any(choices));
	}

	@Override
	public void happenIn(World world) {
		world.database().stores().workers().checkOut(world.node(this.node).worker());
		world.model().workers().checkOut(world.node(this.node).worker());
	}

	@Override
	public String toString() {
		return "%s checks out".formatted(this.node);
	}

}
