package io.jobqueue.internal.dashboard.overview;

import java.util.List;

import io.jobqueue.internal.dashboard.overview.WorkerRow.Pace;

/**
 * The workers of all nodes.
 *
 * @param rows the first ones: those without a recent heartbeat, then the others, each
 * ordered by name
 * @param total the number of all
 */
public record WorkerTable(List<WorkerRow> rows, int total) {

	/**
	 * Return the first workers.
	 * @param number how many
	 * @return at most that many
	 */
	public List<WorkerRow> first(int number) {
		return this.rows.subList(0, Math.min(number, this.rows.size()));
	}

	long silent() {
		return this.rows.stream().filter((row) -> !row.worker().living()).count();
	}

	long slow() {
		return count(Pace.SLOW);
	}

	/**
	 * Return how many handlers exceed their maximum run time, those that hang after that
	 * included.
	 */
	long stuck() {
		return count(Pace.STUCK)
				+ this.rows.stream().flatMap((row) -> row.hung().values().stream()).mapToLong(Integer::longValue).sum();
	}

	private long count(Pace pace) {
		return this.rows.stream().mapToLong((row) -> row.count(pace)).sum();
	}

}
