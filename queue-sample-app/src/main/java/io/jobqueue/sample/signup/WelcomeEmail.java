package io.jobqueue.sample.signup;

import io.jobqueue.JobType;

/**
 * The last step: welcome a user who has followed the link.
 */
@JobType("welcome-email")
record WelcomeEmail(long signupId) {

}
