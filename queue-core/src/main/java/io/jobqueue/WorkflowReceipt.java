package io.jobqueue;

import java.util.UUID;

/**
 * The result of {@link Workflows#start}.
 *
 * @param id the id of the instance, a time-ordered UUID (version 7)
 * @param name the name of the workflow
 */
public record WorkflowReceipt(UUID id, String name) {
}
