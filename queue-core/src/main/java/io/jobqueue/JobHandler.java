package io.jobqueue;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Marks a method of a bean that handles jobs. On a class: every non-private method named
 * {@code handle}.
 *
 * <pre class="code">
 * &#64;Component
 * &#64;JobHandler(queue = "emails")
 * class ConfirmationEmails {
 *
 *     void handle(ConfirmationEmail email) {
 *         …
 *     }
 *
 * }</pre>
 *
 * <p>
 * A handler method has one parameter for the payload, whose class decides which jobs it
 * receives, and may have another of type {@link JobContext}. The attempt succeeds when
 * the method returns, unless it returns a {@link JobResult} other than a success, and
 * fails when it throws. A payload parameter that is {@code @Nullable} receives
 * {@code null} for a job whose payload is the text {@code null}, such as that of a record
 * without a value. The method must finish its work before it returns: a declared
 * {@code Future}, {@code CompletionStage} or {@code Publisher} is refused at start. Each
 * type of a queue has one handler.
 * <p>
 * A method with a {@code List} of payloads or a {@link JobBatch} as its only parameter
 * takes several jobs in one call, up to {@link #batchSize()}.
 * <p>
 * {@link #delivery()} sets how often a handler runs for a job. By default that is at
 * least once: it can run again after a crash, even if it had already finished, and should
 * be idempotent. While it runs, the queue holds neither a connection nor a transaction
 * for it, unless it is {@link Delivery#TRANSACTIONAL transactional}.
 */
@Documented
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Reflective
public @interface JobHandler {

	/**
	 * The value of {@link #maxAttempts()} if it is not set.
	 */
	int UNSET = -1;

	/**
	 * Queue whose jobs are handled; placeholders are resolved. Default: that of the
	 * class's annotation, else the {@link #subscriber()} of a topic, else that of the
	 * payload's {@link JobType}, else {@code default}.
	 * @return the queue's name
	 */
	String queue() default "";

	/**
	 * Name of the job type, for payloads without a class of their own: {@code Map},
	 * {@code JsonNode} and {@code String}. Every other payload class names its type
	 * itself.
	 * @return the name of the type
	 */
	String type() default "";

	/**
	 * Topic that the handler subscribes to: {@link JobQueue#publish} enqueues a job to
	 * its {@link #queue()} for each published payload of its type; placeholders are
	 * resolved. Default: that of the class's annotation, else none.
	 * <p>
	 * The subscription is stored when a worker that serves the queue starts for the first
	 * time. What was published before is not delivered; from then on, jobs wait in the
	 * queue while no such worker runs, also over deployments.
	 * @return the topic's name, {@code [a-z0-9][a-z0-9_-]{0,99}}
	 */
	String topic() default "";

	/**
	 * Name of the subscriber, required with a {@link #topic()}. All nodes with the same
	 * subscriber share its jobs; a subscriber has one handler for each topic and type. It
	 * is the default of {@link #queue()}, instead of that of the payload. Placeholders
	 * are resolved. Default: that of the class's annotation.
	 * @return the subscriber's name, {@code [a-z0-9][a-z0-9_-]{0,99}}
	 */
	String subscriber() default "";

	/**
	 * Headers that a published request must have, all of them, such as {@code
	 * region=eu,kind=retail}, none of them reserved ({@code jobqueue.…}); placeholders
	 * are resolved. Default: that of the class's annotation, else none.
	 * @return names and values of headers
	 */
	String filter() default "";

	/**
	 * Guarantee about how often the handler runs for a job. A method with its own
	 * annotation does not inherit this from its class.
	 * @return the guarantee
	 */
	Delivery delivery() default Delivery.AT_LEAST_ONCE;

	/**
	 * Maximum number of jobs of the queue and the type that one call takes, from 2 to
	 * 1,000. The method then has one parameter, a {@code List} of the payload type or a
	 * {@link JobBatch} of it. With a list, it returns {@code void}, so that all jobs
	 * succeed, or a {@code List} of one {@link JobResult} per job in the order of the
	 * payloads; any other number of results fails the attempt of each job. With a
	 * {@link JobBatch}, it returns {@code void}.
	 * <p>
	 * Each job keeps its own attempts, retry policy, key and headers. If the call throws,
	 * its jobs run one by one in the same attempt. If the first three of these throw as
	 * well, the others run later, after the delay of their retry policy and without
	 * counting this attempt. A job that has failed before, or is on its last attempt,
	 * runs alone. A call that ends by its maximum run time, the shortest one of its jobs,
	 * fails none of them: each runs alone then. Not permitted with
	 * {@link Delivery#AT_MOST_ONCE}.
	 * @return the number of jobs, 1 for a method that takes a single job
	 */
	int batchSize() default 1;

	/**
	 * Maximum time for which a call waits for further jobs while it has fewer than
	 * {@link #batchSize()}, with a unit, such as {@code 100ms}; at most 500 ms, 0 to wait
	 * for none; placeholders are resolved. The time counts from the first job. Default:
	 * 20 ms.
	 * @return a duration, or empty
	 */
	String batchWait() default "";

	/**
	 * Exceptions of the handler after which the job is dead at once, even with attempts
	 * left. Subclasses match, and so do causes of the thrown exception.
	 * @return types of exceptions
	 */
	Class<? extends Throwable>[] failOn() default {};

	/**
	 * Exceptions of the handler that count as success, because the work of the job is
	 * already done. Subclasses match, and so do causes of the thrown exception, unless
	 * {@link #failOn()} matches. A timeout or a failed commit never counts as success.
	 * The writes of a transactional handler are rolled back nevertheless.
	 * @return types of exceptions
	 */
	Class<? extends Throwable>[] succeedOn() default {};

	/**
	 * Name of the {@link RetryPolicy} bean that decides after a failure. Default: that of
	 * the queue's settings.
	 * @return the name of a bean
	 */
	String retryPolicy() default "";

	/**
	 * Number of attempts after which a job is given up, 0 for no limit. Default: that of
	 * the queue's settings.
	 * <p>
	 * This, {@link #maxRunTime()} and {@link #backoff()} are options of the type. They
	 * override the settings of the queue; the settings {@code
	 * jobqueue.queues.<queue>.types.<type>} and the options of a {@link JobRequest}
	 * override them. They are not stored with a job: those of the node that claims it
	 * apply. A method with its own annotation does not inherit them from its class.
	 * @return the number of attempts, {@value #UNSET} for that of the queue
	 */
	int maxAttempts() default UNSET;

	/**
	 * Maximum run time of an attempt, with a unit, such as {@code 30s} or {@code 1h};
	 * placeholders are resolved. Default: {@code max-run-time} of the queue's settings.
	 * @return a duration, or empty
	 */
	String maxRunTime() default "";

	/**
	 * Delays after the first, second, … failed attempt, each with a unit, such as {@code
	 * 10s}; the last delay repeats; placeholders are resolved. Expected failures have
	 * their own delays. Not permitted with {@link #retryPolicy()}. Default: {@code
	 * backoff} of the queue's settings.
	 * @return durations
	 */
	String[] backoff() default {};

}
