package io.jobqueue.harness;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;

/**
 * Handles mails of the queue {@code emails} in whatever way a test wants.
 */
@JobHandler(queue = "emails")
public final class MailHandler {

	private final Behaviour behaviour;

	/**
	 * Create a handler.
	 * @param behaviour what it does
	 */
	public MailHandler(Behaviour behaviour) {
		this.behaviour = behaviour;
	}

	void handle(Mail mail, JobContext job) throws Throwable {
		this.behaviour.handle(mail, job);
	}

	/**
	 * What a handler does.
	 */
	@FunctionalInterface
	public interface Behaviour {

		/**
		 * Handle a job.
		 * @param mail the payload
		 * @param job the job
		 * @throws Throwable to fail
		 */
		void handle(Mail mail, JobContext job) throws Throwable;

	}

}
