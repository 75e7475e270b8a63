package io.jobqueue.model;

import java.time.Duration;
import java.util.List;

import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Written;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node tells what became of jobs that it believes to have.
 */
record Settle(Node node, Result result, int first, int count, int delay) implements Operation {

	static Settle any(Choices choices) {
		return new Settle(Node.any(choices), choices.of(List.of(Result.values())), choices.below(4),
				1 + choices.below(2), choices.of(0, 0, 1, 5, 30));
	}

	@Override
	public void happenIn(World world) {
		LiveNode live = world.node(this.node);
		List<ClaimedJob> jobs = live.some(this.first, this.count);
		List<Outcome> outcomes = jobs.stream().map(this::outcome).toList();
		List<Long> endedClaims = live.forget(jobs);
		Written written = world.jobs().settle(live.worker(), outcomes, endedClaims);
		assertThat(written.jobs()).isEqualTo(world.model().settle(live.worker(), outcomes, endedClaims));
	}

	private Outcome outcome(ClaimedJob job) {
		return this.result.outcome(job, Duration.ofMinutes(this.delay));
	}

	@Override
	public String toString() {
		return "%s %s %d of its jobs from number %d on; delay %d min".formatted(this.node, this.result, this.count,
				this.first, this.delay);
	}

}
