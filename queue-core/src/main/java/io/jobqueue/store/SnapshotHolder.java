package io.jobqueue.store;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Who holds the oldest snapshot of a database.
 *
 * @param name who it is, for people: never a statement, which may hold data
 * @param process the id of its server process, {@code null} if it has none
 * @param snapshot what it holds: something else once it lets go
 * @param age how long its transaction has been open, {@code null} if that is not known
 */
public record SnapshotHolder(String name, @Nullable Integer process, String snapshot, @Nullable Duration age) {

	/**
	 * Return whether it still holds what another look has shown.
	 * @param other who was seen then, {@code null} for nobody
	 * @return {@code true} if nothing was let go meanwhile
	 */
	public boolean holdsAsBefore(@Nullable SnapshotHolder other) {
		return other != null && Objects.equals(this.process, other.process) && this.snapshot.equals(other.snapshot);
	}

}
