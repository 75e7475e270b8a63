package io.jobqueue.model;

/**
 * An operator changes the priority of a job that waits.
 */
record Reprioritise(int choice, int priority) implements Operation {

	static Reprioritise any(Choices choices) {
		return new Reprioritise(choices.below(8), choices.of(Draft.PRIORITIES));
	}

	@Override
	public void happenIn(World world) {
		world.anyLive(this.choice).filter(ModelJob::isWaiting).ifPresent((job) -> {
			world.sql()
				.sql("UPDATE jobqueue_job SET priority = ? WHERE id = ?")
				.params(this.priority, job.id())
				.update();
			job.reprioritised(this.priority);
		});
	}

	@Override
	public String toString() {
		return "an operator gives live job number %d the priority %d".formatted(this.choice, this.priority);
	}

}
