package io.jobqueue.store;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * How far the database is behind with cleaning up.
 *
 * @param oldest who holds the oldest snapshot, {@code null} if nobody keeps anything
 * @param deadRows how many rows of each table are dead, as far as the database knows
 */
public record CleanupReading(@Nullable SnapshotHolder oldest, Map<String, Long> deadRows) {
}
