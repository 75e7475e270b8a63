package io.jobqueue;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Marks methods of a bean that handle jobs: on a method, that one; on a class, every
 * non-private method named {@code handle}.
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
 * receives, and may have another of type {@link JobContext}. It succeeds when it returns,
 * unless it returns a {@link JobResult} that says otherwise, and fails when it throws. It
 * must have finished its work by then: a declared {@code Future}, {@code CompletionStage}
 * or {@code Publisher} is refused at start. A queue and a type have one handler.
 * <p>
 * How often it runs for a job is for {@link #delivery()} to say. By default that is at
 * least once: a handler may run again after a crash, also where it had already finished,
 * and should therefore be idempotent. While it runs, the queue holds neither a connection
 * nor a transaction for it, unless it is {@link Delivery#TRANSACTIONAL transactional}.
 */
@Documented
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Reflective
public @interface JobHandler {

	/**
	 * What {@link #maxAttempts()} is where it is not given.
	 */
	int UNSET = -1;

	/**
	 * Queue whose jobs are handled; placeholders are resolved. Default: that of the
	 * class's annotation, else that of the payload's {@link JobType}, else
	 * {@code default}.
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
	 * What is promised about how often the handler runs for a job. A method with an
	 * annotation of its own does not take this from its class.
	 * @return the promise
	 */
	Delivery delivery() default Delivery.AT_LEAST_ONCE;

	/**
	 * Exceptions of the handler after which the job is dead at once, whatever attempts
	 * are left. They match subclasses, and causes of what it threw.
	 * @return types of exceptions
	 */
	Class<? extends Throwable>[] failOn() default {};

	/**
	 * Exceptions of the handler that complete the job, because what it was to achieve is
	 * already so. They match subclasses, and causes of what it threw, unless
	 * {@link #failOn()} does. Neither a timeout nor a commit that failed is one. What a
	 * transactional handler had written is rolled back nevertheless.
	 * @return types of exceptions
	 */
	Class<? extends Throwable>[] succeedOn() default {};

	/**
	 * Name of the {@link RetryPolicy} bean that decides after a failure. Default: the one
	 * that the queue's settings describe.
	 * @return the name of a bean
	 */
	String retryPolicy() default "";

	/**
	 * Number of attempts after which a job is given up, 0 for no limit. Default: that of
	 * the queue's settings.
	 * <p>
	 * This, {@link #maxRunTime()} and {@link #backoff()} are options of the type: those
	 * of a {@link JobRequest} beat them, so do the settings
	 * {@code jobqueue.queues.<queue>.types.<type>}, and they beat the settings of the
	 * queue. They are not stored: the node that claims a job decides. A method with an
	 * annotation of its own does not take them from its class.
	 * @return the number of attempts, {@value #UNSET} for that of the queue
	 */
	int maxAttempts() default UNSET;

	/**
	 * How long an attempt may take, with a unit, such as {@code 30s} or {@code 1h};
	 * placeholders are resolved. Default: {@code max-run-time} of the queue's settings.
	 * @return a duration, or empty
	 */
	String maxRunTime() default "";

	/**
	 * How long a job waits after its first, second, … failed attempt, each with a unit,
	 * such as {@code 10s}; the last delay repeats; placeholders are resolved. Expected
	 * failures have delays of their own. Not beside {@link #retryPolicy()}. Default:
	 * {@code backoff} of the queue's settings.
	 * @return durations
	 */
	String[] backoff() default {};

}
