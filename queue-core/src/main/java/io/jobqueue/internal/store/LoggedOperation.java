package io.jobqueue.internal.store;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * An operation for the operator log. Its texts have no invisible characters and no
 * confidential values.
 *
 * @param id the id of its row; all steps of an operation on several jobs have the same
 * @param name its name
 * @param value the value that it sets on jobs, {@code null} for none
 * @param subject the job, queue, schedule or query
 * @param operator the name of the user, {@code null} if it is unknown
 * @param reason why the operator does this, {@code null} if no reason was given
 */
public record LoggedOperation(UUID id, String name, @Nullable String value, String subject, @Nullable String operator,
		@Nullable String reason) {
}
