package io.jobqueue.sample.signup;

import java.time.OffsetDateTime;

/**
 * A user who signed up.
 */
record Signup(long id, String name, String email, Status status, OffsetDateTime createdAt) {

}
