package io.jobqueue.model;

import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.ClusterLimits;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node claims jobs, under the rate of the queue or without. The answer may be lost.
 */
record Claim(Node node, int free, int prefetch, boolean received, boolean rated) implements Operation {

	private static final ClusterLimits RATED = new ClusterLimits(null, ModelRate.RATE);

	static Claim any(Choices choices) {
		Node node = Node.any(choices);
		int free = choices.of(1, 2, 0);
		return new Claim(node, free, (free > 0) ? choices.below(3) : 1 + choices.below(2), !choices.oneIn(5),
				choices.oneIn(2));
	}

	@Override
	public void happenIn(World world) {
		LiveNode live = world.node(this.node);
		ClaimRequest request = live.request(this.free, this.prefetch, this.rated ? RATED : ClusterLimits.NONE);
		ClaimResult claimed = world.jobs().claim(live.worker(), request);
		assertThat(ExpectedClaim.of(claimed)).isEqualTo(world.model().claim(live.worker(), request));
		assertThat(claimed.missed()).isFalse();
		if (this.received) {
			live.hold(claimed.jobs());
		}
		else {
			live.missed(request.claim());
		}
	}

	@Override
	public String toString() {
		return "%s claims for %d free handlers and %d in advance%s%s".formatted(this.node, this.free, this.prefetch,
				this.rated ? " under the rate" : "", this.received ? "" : ", but the answer is lost");
	}

}
