package io.jobqueue.boot.alert;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.store.FailureText;

/**
 * Something that the database does not always tell. Only the beginning and the end of not
 * knowing it are logged.
 */
final class Unknown {

	private static final Logger logger = LoggerFactory.getLogger(Look.class);

	private final String what;

	private boolean lasts;

	Unknown(String what) {
		this.what = what;
	}

	void because(RuntimeException failure) {
		if (!this.lasts) {
			logger.warn("{} is not known until the database answers: {}", this.what, FailureText.of(failure));
		}
		logger.debug("{} is not known", this.what, failure);
		this.lasts = true;
	}

	void isOver() {
		if (this.lasts) {
			logger.info("{} is known again", this.what);
		}
		this.lasts = false;
	}

}
