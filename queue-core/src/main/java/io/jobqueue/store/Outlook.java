package io.jobqueue.store;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What an idle worker waits for.
 *
 * @param nextDueIn how long until the next job is due, {@code null} if there is none
 * @param unknownTypes a type for each queue that holds due jobs without a handler here
 */
public record Outlook(@Nullable Duration nextDueIn, Map<String, String> unknownTypes) {
}
