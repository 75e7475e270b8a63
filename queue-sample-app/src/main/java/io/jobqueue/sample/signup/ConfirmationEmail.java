package io.jobqueue.sample.signup;

import io.jobqueue.JobType;

/**
 * The first step: mail the link to the user who signed up.
 */
@JobType("confirmation-email")
record ConfirmationEmail(long signupId) {

}
