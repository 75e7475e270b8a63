package io.jobqueue.model;

/**
 * An operator changes the run-at of a job that waits.
 */
record Reschedule(int choice, int minutes) implements Operation {

	static Reschedule any(Choices choices) {
		return new Reschedule(choices.below(8), choices.of(0, 5, 60, -60));
	}

	@Override
	public void happenIn(World world) {
		world.anyLive(this.choice).filter(ModelJob::isWaiting).ifPresent((job) -> {
			world.sql()
				.sql("UPDATE jobqueue_job SET run_at = statement_timestamp() + ? * interval '1 minute' WHERE id = ?")
				.params(this.minutes, job.id())
				.update();
			job.rescheduled(world.model().clock().in(this.minutes));
		});
	}

	@Override
	public String toString() {
		return "an operator reschedules live job number %d to %d min from now".formatted(this.choice, this.minutes);
	}

}
