package io.jobqueue.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Reads what keeps the database from removing dead rows of jobs, at a cost that does not
 * grow with the tables.
 */
public interface CleanupStore {

	/**
	 * Return the tables that rows of jobs die in.
	 * @return their names
	 */
	List<String> tables();

	/**
	 * Look.
	 * @return what was seen
	 */
	CleanupStatus read();

	/**
	 * How far the database is behind with cleaning up.
	 *
	 * @param oldest who holds the oldest snapshot, {@code null} if nothing is kept
	 * @param deadRows how many rows of each table are dead, as far as the database knows
	 */
	record CleanupStatus(@Nullable SnapshotHolder oldest, Map<String, Long> deadRows) {
	}

	/**
	 * Who holds the oldest snapshot of a database.
	 *
	 * @param name who it is, for people: never a statement, which may hold data
	 * @param process the id of its server process, {@code null} if it has none
	 * @param snapshot what it holds: something else once it lets go
	 * @param age how long its transaction has been open, {@code null} if that is not
	 * known
	 */
	record SnapshotHolder(String name, @Nullable Integer process, String snapshot, @Nullable Duration age) {

		/**
		 * Return whether it still holds what another look has shown.
		 * @param other the holder at that time, {@code null} for none
		 * @return {@code true} if nothing was let go meanwhile
		 */
		public boolean holdsAsBefore(@Nullable SnapshotHolder other) {
			return other != null && Objects.equals(this.process, other.process) && this.snapshot.equals(other.snapshot);
		}

	}

}
