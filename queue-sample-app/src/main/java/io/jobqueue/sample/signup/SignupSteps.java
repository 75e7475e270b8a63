package io.jobqueue.sample.signup;

import java.util.Optional;

import org.springframework.stereotype.Component;

import io.jobqueue.JobHandler;
import io.jobqueue.JobResult;

/**
 * Handles the jobs of the steps. A crash after a mail makes its job run again, and then
 * the mail goes out twice: rather that than never.
 */
@Component
class SignupSteps {

	private static final String QUEUE = "emails";

	private final SignupRepository signups;

	private final SignupMailSender sender;

	SignupSteps(SignupRepository signups, SignupMailSender sender) {
		this.signups = signups;
		this.sender = sender;
	}

	@JobHandler(queue = QUEUE)
	void handle(ConfirmationEmail email) {
		find(email.signupId(), Status.PENDING).ifPresent((signup) -> {
			this.sender.confirm(signup, this.signups.token(signup.id()));
			this.signups.markMailed(signup.id());
		});
	}

	@JobHandler(queue = QUEUE)
	JobResult handle(LinkCheck check) {
		boolean followed = find(check.signupId(), Status.VERIFIED).isPresent();
		return JobResult.success().branch(followed ? SignupWorkflow.FOLLOWED : SignupWorkflow.IGNORED);
	}

	@JobHandler(queue = QUEUE)
	void handle(ReminderEmail email) {
		find(email.signupId(), Status.MAILED)
			.ifPresent((signup) -> this.sender.remind(signup, this.signups.token(signup.id())));
	}

	@JobHandler(queue = QUEUE)
	void handle(WelcomeEmail email) {
		find(email.signupId(), Status.VERIFIED).ifPresent(this.sender::welcome);
	}

	private Optional<Signup> find(long id, Status status) {
		return this.signups.find(id).filter((signup) -> signup.status() == status);
	}

}
