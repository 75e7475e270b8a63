package io.jobqueue.benchmark.chaos;

import java.util.Random;

import io.jobqueue.Delivery;
import io.jobqueue.JobType;

/**
 * The payload of a job, of a type for each kind of delivery.
 */
sealed interface Errand {

	/**
	 * Return what its handler is promised.
	 */
	Delivery delivery();

	/**
	 * Make one up.
	 */
	static Errand any(Random random) {
		int millis = (random.nextInt(5) == 0) ? random.nextInt(2_000) : random.nextInt(50);
		int failures = (random.nextInt(10) == 0) ? 1 : 0;
		return switch (random.nextInt(5)) {
			case 0 -> new Repeatable(millis, failures, ballast(random));
			case 1 -> new Atomic(millis, failures, random.nextInt(3) == 0);
			case 2 -> new Joint(millis, failures);
			case 3 -> new JointAtomic(millis, failures);
			default -> new Single(millis);
		};
	}

	private static String ballast(Random random) {
		return "ballast ".repeat((random.nextInt(20) == 0) ? 100_000 : 0);
	}

	/**
	 * Delivered at least once.
	 *
	 * @param millis how long an attempt takes
	 * @param failures how many attempts fail
	 * @param ballast makes some payloads large: 800 kB, which compress well
	 */
	@JobType("repeatable")
	record Repeatable(int millis, int failures, String ballast) implements Errand {

		@Override
		public Delivery delivery() {
			return Delivery.AT_LEAST_ONCE;
		}

	}

	/**
	 * Delivered in a transaction.
	 *
	 * @param millis how long an attempt takes
	 * @param failures how many attempts fail
	 * @param followed whether it enqueues another one
	 */
	@JobType("atomic")
	record Atomic(int millis, int failures, boolean followed) implements Errand {

		@Override
		public Delivery delivery() {
			return Delivery.TRANSACTIONAL;
		}

	}

	/**
	 * Delivered at least once, by calls that take several.
	 *
	 * @param millis how long an attempt takes
	 * @param failures how many attempts fail
	 */
	@JobType("joint")
	record Joint(int millis, int failures) implements Errand {

		@Override
		public Delivery delivery() {
			return Delivery.AT_LEAST_ONCE;
		}

	}

	/**
	 * Delivered in the transaction of a call that takes several.
	 *
	 * @param millis how long an attempt takes
	 * @param failures how many attempts fail
	 */
	@JobType("joint-atomic")
	record JointAtomic(int millis, int failures) implements Errand {

		@Override
		public Delivery delivery() {
			return Delivery.TRANSACTIONAL;
		}

	}

	/**
	 * Delivered at most once.
	 *
	 * @param millis how long the attempt takes
	 */
	@JobType("single")
	record Single(int millis) implements Errand {

		@Override
		public Delivery delivery() {
			return Delivery.AT_MOST_ONCE;
		}

	}

}
