package io.jobqueue.worker;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Released;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a lane asks for jobs.
 */
class LaneTests implements LaneWork {

	private final Lane lane = new Lane("emails", 1, Runnable::run, this);

	@Test
	void asksOnceForWhatItHasRoomFor() {
		assertThat(this.lane.reserve().free()).isEqualTo(1);
		assertThat(this.lane.reserve().total()).isZero();
	}

	@Test
	void asksAgainForWhatWasSignalledWhileItsClaimWasOnItsWay() {
		this.lane.reserve();
		this.lane.expectMore();
		this.lane.take(List.of(), false, false);
		assertThat(this.lane.reserve().free()).isEqualTo(1);
	}

	@Test
	void asksNoMoreWhenThereWasNothing() {
		this.lane.reserve();
		this.lane.take(List.of(), false, false);
		assertThat(this.lane.reserve().total()).isZero();
	}

	@Test
	void asksAgainWhenThereWasMore() {
		this.lane.reserve();
		this.lane.take(List.of(), true, false);
		assertThat(this.lane.reserve().free()).isEqualTo(1);
	}

	@Override
	public HandlerRun begin(ClaimedJob job) {
		throw new AssertionError("No job was claimed");
	}

	@Override
	public Outcome run(HeldJob job) {
		return new Released(job.job().id(), job.job().claim());
	}

	@Override
	public void giveBack(List<ClaimedJob> jobs) {
		throw new AssertionError("No job was claimed");
	}

	@Override
	public void roomFor(Lane lane) {
		assertThat(lane).isSameAs(this.lane);
	}

}
