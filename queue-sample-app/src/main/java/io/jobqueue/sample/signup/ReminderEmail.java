package io.jobqueue.sample.signup;

import io.jobqueue.JobType;

/**
 * A step: mail the link again.
 */
@JobType("reminder-email")
record ReminderEmail(long signupId) {

}
