package io.jobqueue.benchmark.chaos;

/**
 * Builds verdicts: all figures are zero unless they are set.
 */
final class VerdictBuilder {

	private long jobs;

	private long lost;

	private long doubledTransactional;

	private long doubledAtMostOnce;

	private long early;

	private long batches;

	private long miscountedBatches;

	private long redelivered;

	private double recoverySeconds;

	VerdictBuilder jobs(long jobs) {
		this.jobs = jobs;
		return this;
	}

	VerdictBuilder lost(long lost) {
		this.lost = lost;
		return this;
	}

	VerdictBuilder doubledTransactional(long doubledTransactional) {
		this.doubledTransactional = doubledTransactional;
		return this;
	}

	VerdictBuilder doubledAtMostOnce(long doubledAtMostOnce) {
		this.doubledAtMostOnce = doubledAtMostOnce;
		return this;
	}

	VerdictBuilder early(long early) {
		this.early = early;
		return this;
	}

	VerdictBuilder batches(long batches) {
		this.batches = batches;
		return this;
	}

	VerdictBuilder miscountedBatches(long miscountedBatches) {
		this.miscountedBatches = miscountedBatches;
		return this;
	}

	VerdictBuilder redelivered(long redelivered) {
		this.redelivered = redelivered;
		return this;
	}

	VerdictBuilder recoverySeconds(double recoverySeconds) {
		this.recoverySeconds = recoverySeconds;
		return this;
	}

	Verdict build() {
		return new Verdict(this.jobs, this.lost, this.doubledTransactional, this.doubledAtMostOnce, this.early,
				this.batches, this.miscountedBatches, this.redelivered, 0, this.recoverySeconds);
	}

}
