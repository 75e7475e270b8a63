package io.jobqueue;

/**
 * Application event about a job, published after the commit of what it reports.
 *
 * <pre class="code">
 * &#64;EventListener
 * void on(JobDied event) {
 *     this.pager.alert(event.job(), event.exception());
 * }</pre>
 *
 * <p>
 * Listeners are the beans of the application context of the queue, and of its parents.
 * One thread of the queue calls them, one event after the other, outside any transaction
 * and any lock: a slow listener delays other events, not jobs. An exception of a listener
 * is logged, and the other listeners are called.
 * <p>
 * An event is published once, in the JVM where it happened, and waits in memory. Events
 * are lost in a crash, and in a stop that exceeds 5 seconds. Use a job for work that must
 * happen.
 */
public interface JobEvent {

	/**
	 * Return the job.
	 * @return the job, without its payload
	 */
	JobInfo job();

}
