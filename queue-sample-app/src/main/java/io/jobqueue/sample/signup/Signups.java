package io.jobqueue.sample.signup;

import java.security.SecureRandom;
import java.util.Base64;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.JobQueue;

/**
 * Signs people up.
 */
@Service
class Signups {

	private static final int TOKEN_BYTES = 16;

	private final SecureRandom random = new SecureRandom();

	private final SignupRepository repository;

	private final JobQueue jobQueue;

	Signups(SignupRepository repository, JobQueue jobQueue) {
		this.repository = repository;
		this.jobQueue = jobQueue;
	}

	/**
	 * Store the signup and the job that mails the link: both, or after a rollback
	 * neither.
	 * @param profile who signs up
	 * @return the stored signup
	 */
	@Transactional
	Signup signUp(Profile profile) {
		Signup signup = this.repository.insert(profile, token());
		this.jobQueue.enqueue(new ConfirmationEmail(signup.id()));
		return signup;
	}

	private String token() {
		byte[] token = new byte[TOKEN_BYTES];
		this.random.nextBytes(token);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
	}

}
