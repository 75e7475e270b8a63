package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import io.jobqueue.store.Arrival;
import io.jobqueue.store.Written;

/**
 * Collects what is written when outcomes are recorded.
 */
final class Writing {

	private final Set<UUID> jobs = new HashSet<>();

	private final List<Arrival> arrivals = new ArrayList<>();

	/**
	 * Take a row with a job that is finished, or with one that waited for such a job.
	 */
	void finished(ResultSet row) throws SQLException {
		UUID id = row.getObject("id", UUID.class);
		if (id != null) {
			this.jobs.add(id);
		}
		else {
			this.arrivals.add(Columns.arrival(row));
		}
	}

	/**
	 * Take a row with a job that waits again.
	 */
	void waiting(ResultSet row) throws SQLException {
		this.jobs.add(row.getObject("id", UUID.class));
		this.arrivals.add(Columns.arrival(row));
	}

	/**
	 * Take a row with a job that waited for others and may run, or is to be judged again.
	 */
	void freed(ResultSet row) throws SQLException {
		this.arrivals.add(Columns.arrival(row));
	}

	/**
	 * Take a job whose outcome was written before.
	 */
	void recorded(UUID id) {
		this.jobs.add(id);
	}

	Written written() {
		return new Written(this.jobs, this.arrivals);
	}

}
