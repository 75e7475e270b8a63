package io.jobqueue;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A batch, for operators. Times are by the database's clock.
 *
 * @param id the id of the batch
 * @param name the name that it was started with
 * @param startedAt when it was started
 * @param sealedAt when it was sealed, {@code null} if it still accepts members
 * @param finishedAt when the queue finished it, after the end of its last member and the
 * seal; {@code null} before
 * @param info the numbers of its members
 */
public record BatchDetails(UUID id, String name, Instant startedAt, @Nullable Instant sealedAt,
		@Nullable Instant finishedAt, BatchInfo info) {
}
