package io.jobqueue;

/**
 * Application event: a threshold was crossed, or is no longer crossed.
 *
 * <pre class="code">
 * &#64;EventListener
 * void on(JobAlertRaised event) {
 *     this.pager.call(event.alert());
 * }</pre>
 *
 * <p>
 * Each node measures, even if it runs no jobs, and publishes events to its own listeners:
 * alerts about the database on every node, alerts about slow handlers on the node that
 * runs them. Listeners are called as for a {@link JobEvent}.
 * <p>
 * A change is published when {@code jobqueue.alerts.looks} measurements in a row have
 * found it. While the database does not answer, nothing changes. A node that stops
 * publishes no recovery; after a restart there are no alerts.
 */
public interface JobAlertEvent {

	/**
	 * Return the alert.
	 * @return the threshold and the last measurement
	 */
	JobAlert alert();

}
