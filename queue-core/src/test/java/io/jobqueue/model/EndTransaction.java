package io.jobqueue.model;

import java.util.List;
import java.util.Locale;
import java.util.UUID;

import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Recorded;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The transaction of a handler ends.
 */
record EndTransaction(Node node, Ending ending) implements Operation {

	static EndTransaction any(Choices choices) {
		return new EndTransaction(Node.any(choices), choices.of(List.of(Ending.values())));
	}

	@Override
	public void happenIn(World world) {
		world.node(this.node).completion().ifPresent((open) -> end(world, open));
	}

	private void end(World world, OpenCompletion open) {
		boolean commit = this.ending != Ending.ROLLS_BACK;
		world.node(this.node).completing(null);
		world.database().transaction(this.node).end(commit);
		world.model().job(open.job()).locked(false);
		if (commit) {
			committed(world, open);
		}
	}

	private void committed(World world, OpenCompletion open) {
		world.model().job(open.job()).succeeded(BeginCompletion.KEEP, open.at());
		world.model().add(open.another());
		List<Long> endedClaims = world.node(this.node).forget(List.of(open.job()));
		if (this.ending == Ending.COMMITS) {
			record(world, open.job(), endedClaims);
		}
	}

	private void record(World world, ClaimedJob job, List<Long> endedClaims) {
		UUID worker = world.node(this.node).worker();
		List<Outcome> recorded = List.of(new Recorded(job.id(), job.claim()));
		assertThat(world.jobs().settle(worker, recorded, endedClaims).jobs()).containsExactly(job.id());
		world.model().end(worker, endedClaims);
	}

	@Override
	public String toString() {
		return "%s %s".formatted(this.node, this.ending);
	}

	/**
	 * How a transaction ends.
	 */
	enum Ending {

		COMMITS, COMMITS_AND_FORGETS_TO_SAY_SO, ROLLS_BACK;

		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT).replace('_', ' ');
		}

	}

}
