package io.jobqueue.sample.signup;

import java.time.OffsetDateTime;

/**
 * Somebody who signed up.
 */
record Signup(long id, String name, String email, Status status, OffsetDateTime createdAt) {

}
