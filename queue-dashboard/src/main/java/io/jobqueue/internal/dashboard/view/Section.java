package io.jobqueue.internal.dashboard.view;

/**
 * A link of the navigation, in its order.
 */
public enum Section {

	/**
	 * Queues and what they hold.
	 */
	OVERVIEW("", "Overview"),

	/**
	 * Jobs by conditions.
	 */
	JOBS("/jobs", "Jobs"),

	/**
	 * Errors of retrying and dead jobs.
	 */
	ERRORS("/errors", "Errors"),

	/**
	 * Dead jobs by their errors.
	 */
	DEAD("/dead", "Dead jobs"),

	/**
	 * Schedules of recurring jobs.
	 */
	RECURRING("/recurring", "Recurring"),

	/**
	 * Batches and their progress.
	 */
	BATCHES("/batches", "Batches"),

	/**
	 * Workflows and their instances.
	 */
	WORKFLOWS("/workflows", "Workflows"),

	/**
	 * Workers of all nodes and what they run.
	 */
	WORKERS("/workers", "Workers"),

	/**
	 * Paused queues and types.
	 */
	PAUSES("/pauses", "Pauses"),

	/**
	 * What operators did.
	 */
	LOG("/log", "Operator log");

	private final String path;

	private final String label;

	Section(String path, String label) {
		this.path = path;
		this.label = label;
	}

	/**
	 * Return the path below that of the dashboard.
	 * @return such as {@code /jobs}
	 */
	public String path() {
		return this.path;
	}

	/**
	 * Return the text of the link.
	 * @return such as {@code Jobs}
	 */
	public String label() {
		return this.label;
	}

}
