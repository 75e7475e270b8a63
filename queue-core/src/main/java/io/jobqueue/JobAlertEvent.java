package io.jobqueue;

/**
 * A threshold was crossed, or is not crossed any more: an application event.
 *
 * <pre class="code">
 * &#64;EventListener
 * void on(JobAlertRaised event) {
 *     this.pager.call(event.alert());
 * }</pre>
 *
 * <p>
 * Each node looks for itself, whether or not it runs jobs, and tells its own listeners:
 * what is true of the database is told on every node, and a slow handler on the node that
 * has it. Listeners are called as for a {@link JobEvent}.
 * <p>
 * A change is told once it has held for a number of looks in a row, so that what comes
 * and goes between two of them is not told. What is not known, as while the database does
 * not answer, changes nothing. A node that stops tells of no recovery, and the next one
 * begins with no alert.
 */
public interface JobAlertEvent {

	/**
	 * Return the alert.
	 * @return what was crossed, and how far
	 */
	JobAlert alert();

}
