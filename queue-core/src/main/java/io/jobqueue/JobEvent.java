package io.jobqueue;

/**
 * Something that happened to a job: an application event, published after the commit that
 * made it true.
 *
 * <pre class="code">
 * &#64;EventListener
 * void on(JobDied event) {
 *     this.pager.alert(event.job(), event.exception());
 * }</pre>
 *
 * <p>
 * Listeners are the beans of the application context that has the queue, and of its
 * parents. They are called on one thread of the queue's own, one event after the other,
 * outside any transaction and any lock: what a listener takes long for delays other
 * events, not jobs. One that throws is logged, and the others are called nevertheless.
 * <p>
 * Only the JVM where it happened publishes it, and only once. Events wait in memory. A
 * crash takes them along, and so does a stop that does not want to wait any longer;
 * whatever must not be missed belongs into a job.
 */
public interface JobEvent {

	/**
	 * Return the job.
	 * @return its description
	 */
	JobInfo job();

}
