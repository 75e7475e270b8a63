package io.jobqueue.model;

/**
 * An operator deletes a job, unless another transaction has locked it.
 */
record Delete(int choice) implements Operation {

	static Delete any(Choices choices) {
		return new Delete(choices.below(8));
	}

	@Override
	public void happenIn(World world) {
		world.anyLive(this.choice).filter((job) -> !job.isLocked()).ifPresent((job) -> {
			world.sql().sql("DELETE FROM jobqueue_job WHERE id = ?").param(job.id()).update();
			world.model().remove(job);
		});
	}

	@Override
	public String toString() {
		return "an operator deletes live job number %d".formatted(this.choice);
	}

}
