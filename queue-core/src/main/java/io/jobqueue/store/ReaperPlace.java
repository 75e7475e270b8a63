package io.jobqueue.store;

import java.util.UUID;

/**
 * A claim in the order in which the reaper looks at claims: those of silent workers come
 * first.
 *
 * @param silent whether its worker was silent
 * @param expiresAt when it expires, as the database writes it
 * @param worker the worker
 * @param claim the number of the claim
 */
public record ReaperPlace(boolean silent, String expiresAt, UUID worker, long claim) {
}
