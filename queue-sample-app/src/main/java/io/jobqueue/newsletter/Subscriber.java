package io.jobqueue.newsletter;

import io.jobqueue.JobType;

/**
 * Who has signed up. The type is that of the sample's record; the class is the
 * newsletter's own.
 */
@JobType("signed-up")
record Subscriber(String name, String email) {

}
