package io.jobqueue;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Marks a method of a bean that runs at the times of a schedule, on one node at a time.
 *
 * <pre class="code">
 * &#64;RecurringJob(name = "purge-carts", cron = "0 0 3 * * *", zone = "Europe/Berlin")
 * void purgeCarts() {
 *     …
 * }</pre>
 *
 * <p>
 * The method has no parameter, or one of type {@link JobContext}. Each tick of the
 * schedule enqueues exactly one job over all nodes, whose type is the name of the
 * schedule; a worker of any node then runs it like every other job: by its
 * {@link #delivery()}, with the retries, limits and retention of its queue. The
 * database's clock decides when a tick is due.
 * <p>
 * The living workers that declare a schedule tick it. A schedule that no worker declares
 * any more enqueues nothing; its row stays until {@link RecurringJobs#delete(String)}.
 * While nodes with different definitions of a name run, the definition that was declared
 * last applies. Placeholders in texts are resolved.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(RecurringJob.List.class)
@Reflective
public @interface RecurringJob {

	/**
	 * The value of {@link #cron()} that switches a schedule off.
	 */
	String DISABLED = "-";

	/**
	 * Return the name of the schedule, which is also the type of its jobs: at most 200
	 * printable characters without spaces. It is unique among the schedules of a
	 * database. Default: the name of the bean, a dot and the name of the method.
	 * @return the name
	 */
	String name() default "";

	/**
	 * Return the cron expression, in the six fields of Spring's {@code @Scheduled}:
	 * second, minute, hour, day of month, month and day of week. {@value #DISABLED}
	 * switches the schedule off.
	 * @return the expression, empty if {@link #fixedRate()} is set
	 */
	String cron() default "";

	/**
	 * Return the time from one tick to the next, with a unit, such as {@code 15m}, and at
	 * least one second. Ticks count from the first declaration of the schedule,
	 * absolutely: {@code 1d} moves by an hour against local time when the clocks change.
	 * @return the time, empty if {@link #cron()} is set
	 */
	String fixedRate() default "";

	/**
	 * Return the time zone in which the cron expression is evaluated, such as
	 * {@code Europe/Berlin}. Default: {@code jobqueue.recurring-zone}, else UTC; never
	 * the zone of the JVM. Not permitted with {@link #fixedRate()}.
	 * @return the zone
	 */
	String zone() default "";

	/**
	 * Return the queue of the jobs. Default: that of a {@link JobHandler} on the class,
	 * else {@code default}.
	 * @return the name of the queue
	 */
	String queue() default "";

	/**
	 * Return which jobs are enqueued for missed ticks.
	 * @return the policy
	 */
	Misfire misfire() default Misfire.ONCE;

	/**
	 * Return what a tick does while the job of an earlier tick is live.
	 * @return the policy
	 */
	Overlap overlap() default Overlap.SKIP;

	/**
	 * Return the longest random delay of each job after its tick, with a unit, such as
	 * {@code 30s}. Default: none.
	 * @return the delay
	 */
	String jitter() default "";

	/**
	 * Return the guarantee about how often the method runs for a job. With
	 * {@link Delivery#AT_MOST_ONCE}, a tick whose job fails or is lost in a crash has no
	 * further attempt.
	 * @return the guarantee
	 */
	Delivery delivery() default Delivery.AT_LEAST_ONCE;

	/**
	 * Return the number of attempts after which a job is given up, 0 for no limit.
	 * Default: that of the queue's settings.
	 * <p>
	 * This, {@link #maxRunTime()} and {@link #backoff()} are options of the type, which
	 * is the name of the schedule: they override the settings of the queue, and the
	 * settings {@code jobqueue.queues.<queue>.types.<type>} override them. They are not
	 * stored with a job: those of the node that claims it apply.
	 * @return the number of attempts, {@value JobHandler#UNSET} for that of the queue
	 */
	int maxAttempts() default JobHandler.UNSET;

	/**
	 * Return the maximum run time of an attempt, with a unit, such as {@code 30s} or
	 * {@code 1h}. Default: {@code max-run-time} of the queue's settings.
	 * @return a duration, or empty
	 */
	String maxRunTime() default "";

	/**
	 * Return the delays after the first, second, … failed attempt, each with a unit, such
	 * as {@code 10s}; the last delay repeats. Default: {@code backoff} of the queue's
	 * settings.
	 * @return durations
	 */
	String[] backoff() default {};

	/**
	 * Holds several schedules of one method.
	 */
	@Documented
	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@Reflective
	@interface List {

		/**
		 * Return the schedules. Each needs a name of its own.
		 * @return the schedules
		 */
		RecurringJob[] value();

	}

}
