package io.jobqueue.sample.signup;

import java.time.OffsetDateTime;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A user who signed up.
 *
 * @param workflow the instance of the workflow, {@code null} for one who signed up before
 * there were any
 */
record Signup(long id, String name, String email, Status status, OffsetDateTime createdAt, @Nullable UUID workflow) {

}
