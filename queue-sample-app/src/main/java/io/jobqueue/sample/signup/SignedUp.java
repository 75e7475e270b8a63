package io.jobqueue.sample.signup;

import io.jobqueue.JobType;

/**
 * A signup, as other applications hear of it.
 */
@JobType(value = "signed-up", queue = "signed-up")
record SignedUp(String name, String email) {

}
