package io.jobqueue.delivery;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobResult;
import io.jobqueue.harness.Mail;

/**
 * A handler of the queue {@code emails} for each kind of delivery.
 */
final class Handlers {

	private Handlers() {
	}

	static Object of(Delivery delivery, Behaviour behaviour) {
		return switch (delivery) {
			case AT_LEAST_ONCE -> new AtLeastOnce(behaviour);
			case TRANSACTIONAL -> new Transactional(behaviour);
			case AT_MOST_ONCE -> new AtMostOnce(behaviour);
		};
	}

	record AtLeastOnce(Behaviour behaviour) {

		@JobHandler(queue = "emails", failOn = Hopeless.class, succeedOn = AlreadyDone.class)
		JobResult run(Mail mail, JobContext job) throws Throwable {
			return this.behaviour.handle(job);
		}

	}

	record Transactional(Behaviour behaviour) {

		@JobHandler(queue = "emails", delivery = Delivery.TRANSACTIONAL, failOn = Hopeless.class,
				succeedOn = AlreadyDone.class)
		JobResult run(Mail mail, JobContext job) throws Throwable {
			return this.behaviour.handle(job);
		}

	}

	record AtMostOnce(Behaviour behaviour) {

		@JobHandler(queue = "emails", delivery = Delivery.AT_MOST_ONCE, failOn = Hopeless.class,
				succeedOn = AlreadyDone.class)
		JobResult run(Mail mail, JobContext job) throws Throwable {
			return this.behaviour.handle(job);
		}

	}

	/**
	 * No further attempt can help.
	 */
	@SuppressWarnings("serial")
	static class Hopeless extends Exception {

	}

	/**
	 * What the job was to achieve is already so.
	 */
	@SuppressWarnings("serial")
	static class AlreadyDone extends Exception {

		AlreadyDone() {
		}

		AlreadyDone(Throwable cause) {
			super(cause);
		}

	}

}
