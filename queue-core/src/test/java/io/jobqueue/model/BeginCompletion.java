package io.jobqueue.model;

import java.util.List;
import java.util.UUID;

import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.JobStore;
import io.jobqueue.store.Outcome.Completed;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A transactional handler enqueues a job and completes its own; the transaction stays
 * open, unless the claim was lost.
 */
record BeginCompletion(Node node, int first) implements Operation {

	static final int KEEP = 60;

	static BeginCompletion any(Choices choices) {
		return new BeginCompletion(Node.any(choices), choices.below(4));
	}

	@Override
	public void happenIn(World world) {
		if (world.node(this.node).completion().isEmpty()) {
			world.node(this.node).some(this.first, 1).forEach((job) -> begin(world, job));
		}
	}

	private void begin(World world, ClaimedJob job) {
		UUID worker = world.node(this.node).worker();
		UUID another = world.newId();
		JobStore inside = world.database().transaction(this.node).jobs();
		inside.enqueue(List.of(Draft.MAIL.job(another)));
		boolean completed = inside.complete(worker, new Completed(job.id(), job.claim(), Minutes.duration(KEEP)));
		assertThat(completed).isEqualTo(world.model().holds(worker, job));
		if (completed) {
			stayOpen(world, job, new ModelJob(another, Draft.MAIL, world.model().clock()));
		}
		else {
			world.database().transaction(this.node).end(false);
		}
	}

	private void stayOpen(World world, ClaimedJob job, ModelJob another) {
		world.model().job(job).locked(true);
		world.node(this.node).completing(new OpenCompletion(job, another, world.model().clock().now()));
	}

	@Override
	public String toString() {
		return "%s enqueues a job and completes its job number %d in a transaction".formatted(this.node, this.first);
	}

}
