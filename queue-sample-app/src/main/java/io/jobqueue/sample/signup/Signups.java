package io.jobqueue.sample.signup;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperations;
import io.jobqueue.StepState;
import io.jobqueue.Workflows;

/**
 * Signs people up, and verifies them.
 */
@Service
class Signups {

	private static final Logger logger = LoggerFactory.getLogger(Signups.class);

	private static final int TOKEN_BYTES = 16;

	private final SecureRandom random = new SecureRandom();

	private final SignupRepository repository;

	private final Workflows workflows;

	private final JobOperations jobs;

	private final ApplicationEventPublisher events;

	Signups(SignupRepository repository, Workflows workflows, JobOperations jobs, ApplicationEventPublisher events) {
		this.repository = repository;
		this.workflows = workflows;
		this.jobs = jobs;
		this.events = events;
	}

	/**
	 * Store the signup, the workflow that begins with the mail of the link, and the event
	 * if there is Kafka: all of them, or after a rollback none.
	 * @param profile who signs up
	 * @return the stored signup
	 */
	@Transactional
	Signup signUp(Profile profile) {
		long id = this.repository.insert(profile, token());
		this.events.publishEvent(new SignedUp(profile.name(), profile.email()));
		return this.repository.setWorkflow(id, this.workflows.start(SignupWorkflow.NAME, id).id());
	}

	/**
	 * Verify the user with a token. The workflow need not wait for that any longer; if
	 * this is lost in a crash, it looks when its time has come.
	 * @param token the token
	 * @return the verified signup, empty if there is none with the token
	 */
	Optional<Signup> verify(String token) {
		Optional<Signup> signup = this.repository.verify(token);
		signup.map(Signup::workflow)
			.flatMap(this.workflows::find)
			.ifPresent((workflow) -> workflow.steps()
				.stream()
				.filter((step) -> step.type().equals(LinkCheck.TYPE) && step.state() == StepState.STARTED)
				.forEach((step) -> checkNow(step.job())));
		return signup;
	}

	private void checkNow(UUID check) {
		try {
			this.jobs.because("The link was followed").reschedule(check, Instant.EPOCH);
		}
		catch (JobOperationException ex) {
			logger.debug("The check has begun already", ex);
		}
	}

	private String token() {
		byte[] token = new byte[TOKEN_BYTES];
		this.random.nextBytes(token);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
	}

}
