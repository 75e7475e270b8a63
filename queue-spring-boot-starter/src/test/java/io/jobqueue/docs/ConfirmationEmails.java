package io.jobqueue.docs;

import org.springframework.stereotype.Component;

import io.jobqueue.JobHandler;

/**
 * The handler of the first example.
 */
@Component
@JobHandler(queue = "emails")
class ConfirmationEmails {

	private final Mailbox mailbox;

	ConfirmationEmails(Mailbox mailbox) {
		this.mailbox = mailbox;
	}

	void handle(ConfirmationEmail email) {
		this.mailbox.send("Please confirm", email.userId());
	}

}
