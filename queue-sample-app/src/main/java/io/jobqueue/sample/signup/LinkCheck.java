package io.jobqueue.sample.signup;

import io.jobqueue.JobType;

/**
 * A step that waits for the user, and then looks whether the link was followed.
 */
@JobType(LinkCheck.TYPE)
record LinkCheck(long signupId) {

	static final String TYPE = "link-check";

}
