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
 * Each node measures by itself, whether or not it runs jobs, and publishes events to its
 * own listeners: alerts about the database on every node, those about slow handlers on
 * the node that has them. Listeners are called as for a {@link JobEvent}.
 * <p>
 * A change is published once it has held for a number of measurements in a row, so that a
 * short one is not. While the database does not answer, nothing changes. A node that
 * stops publishes no recovery, and the next one starts without alerts.
 */
public interface JobAlertEvent {

	/**
	 * Return the alert.
	 * @return what was crossed, and how far
	 */
	JobAlert alert();

}
