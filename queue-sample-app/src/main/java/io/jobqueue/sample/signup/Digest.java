package io.jobqueue.sample.signup;

import java.time.OffsetDateTime;

import org.jspecify.annotations.Nullable;

/**
 * A mail about new signups.
 *
 * @param id its id
 * @param tick the time of the schedule it was due at
 * @param mailedAt when the mail server took it, {@code null} before that
 * @param signups how many signups it lists
 */
record Digest(long id, OffsetDateTime tick, @Nullable OffsetDateTime mailedAt, long signups) {

}
