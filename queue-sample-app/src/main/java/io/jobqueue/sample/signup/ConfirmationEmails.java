package io.jobqueue.sample.signup;

import org.springframework.stereotype.Component;

import io.jobqueue.JobHandler;

/**
 * Handles the job. A crash between the two steps makes it run again, and then the mail
 * goes out twice: rather that than never.
 */
@Component
@JobHandler(queue = "emails")
class ConfirmationEmails {

	private final SignupRepository signups;

	private final ConfirmationMailSender sender;

	ConfirmationEmails(SignupRepository signups, ConfirmationMailSender sender) {
		this.signups = signups;
		this.sender = sender;
	}

	void handle(ConfirmationEmail email) {
		this.signups.find(email.signupId()).filter((signup) -> signup.status() == Status.PENDING).ifPresent(this::mail);
	}

	private void mail(Signup signup) {
		this.sender.send(signup, this.signups.token(signup.id()));
		this.signups.markMailed(signup.id());
	}

}
