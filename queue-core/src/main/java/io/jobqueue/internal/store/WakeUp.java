package io.jobqueue.internal.store;

import java.time.Duration;

/**
 * A reason for the workers of a queue to claim.
 */
public sealed interface WakeUp {

	/**
	 * Return the queue to claim from.
	 * @return the name of the queue
	 */
	String queue();

	/**
	 * Jobs of a tier can be claimed from now on: new jobs, or jobs that were released.
	 *
	 * @param tier their tier
	 * @param position the position of the first of them, or an earlier one
	 * @param dueIn the time until the first is due, zero if it is due
	 * @param pendingAdmission whether some of them have to be admitted before they can be
	 * claimed
	 */
	record JobsAvailable(Tier tier, JobPosition position, Duration dueIn, boolean pendingAdmission) implements WakeUp {

		/**
		 * Create a wake-up for jobs that need no admission.
		 * @param tier their tier
		 * @param position the position of the first of them, or an earlier one
		 * @param dueIn the time until the first is due
		 */
		public JobsAvailable(Tier tier, JobPosition position, Duration dueIn) {
			this(tier, position, dueIn, false);
		}

		@Override
		public String queue() {
			return this.tier.queue();
		}

		/**
		 * Return one wake-up for two of the same tier.
		 * @param other the other one
		 * @return the earlier position and the shorter time
		 */
		public JobsAvailable and(JobsAvailable other) {
			return new JobsAvailable(this.tier, JobPosition.earlier(this.position, other.position),
					(this.dueIn.compareTo(other.dueIn) <= 0) ? this.dueIn : other.dueIn,
					this.pendingAdmission || other.pendingAdmission);
		}

		/**
		 * Return this wake-up as of a later time.
		 * @param elapsed the time that has passed
		 * @return the same position with the remaining time, at least zero
		 */
		public JobsAvailable after(Duration elapsed) {
			Duration left = this.dueIn.minus(elapsed);
			return this.dueIn.isZero() ? this : new JobsAvailable(this.tier, this.position,
					left.isNegative() ? Duration.ZERO : left, this.pendingAdmission);
		}

	}

	/**
	 * A slot of a queue with a limit over all workers is free. Jobs of any tier of the
	 * queue may use it.
	 *
	 * @param queue the queue
	 */
	record SlotFreed(String queue) implements WakeUp {
	}

}
