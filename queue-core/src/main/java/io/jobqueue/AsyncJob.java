package io.jobqueue;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

/**
 * Marks a method of a bean whose calls become jobs.
 *
 * <pre class="code">
 * &#64;AsyncJob(value = "book-credit", queue = "bookings")
 * void bookCredit(long account, BigDecimal amount) {
 *     …
 * }</pre>
 *
 * <p>
 * A call through the bean's proxy enqueues a job, as {@link JobQueue#enqueue(JobRequest)}
 * does: in the caller's transaction, if there is one. It throws what {@code enqueue}
 * throws. A worker of any node that has the bean then runs the body, through the proxy,
 * so that {@code @Transactional} and other advice of the method apply to the body and not
 * to the call. As with Spring's {@code @Async}, a call by the bean itself
 * ({@code this.bookCredit(…)}) bypasses the proxy and runs the body at once.
 * <p>
 * The payload is a JSON object with the arguments by the names of the parameters of the
 * method that has the annotation, which the class file must contain
 * ({@code javac -parameters}). Each argument is written and read by the type of its
 * parameter. A job without a value for a parameter passes {@code null}; for a primitive
 * one, its attempt fails. A parameter of type {@link JobContext} is not part of the
 * payload: callers pass {@code null}, and the body receives the context of its job.
 * <p>
 * The method returns {@code void} or {@link JobReceipt}. Callers receive the receipt of
 * the job; what the body returns is ignored, and may be {@code null}. The method must be
 * neither private nor final nor static, and not {@code @Async}, {@code @Scheduled},
 * {@link JobHandler @JobHandler} or {@link RecurringJob @RecurringJob} as well; an
 * argument, its elements and its properties must not be entities, streams or other
 * resources, or of a type whose values Jackson does not read as they were written, such
 * as {@code Object}, {@code Number} or an exception. What is not permitted is refused at
 * start.
 * <p>
 * A call cannot have a key, a delay or other options: enqueue a {@link JobRequest} with a
 * {@code Map} of the arguments and this type for that.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@JobHandler
public @interface AsyncJob {

	/**
	 * Return the type of the jobs, as stored with each of them: at most 200 printable
	 * characters without spaces. No other handler of the application has it. The name and
	 * the class of the method can change as long as it stays.
	 * @return the name of the type
	 */
	@AliasFor(annotation = JobHandler.class, attribute = "type")
	String value();

	/**
	 * Return the queue of the jobs; placeholders are resolved. Default: that of a
	 * {@link JobHandler} on the class, else {@code default}.
	 * @return the name of the queue
	 */
	@AliasFor(annotation = JobHandler.class, attribute = "queue")
	String queue() default "";

	/**
	 * Return the guarantee about how often the body runs for a job.
	 * @return the guarantee
	 */
	@AliasFor(annotation = JobHandler.class, attribute = "delivery")
	Delivery delivery() default Delivery.AT_LEAST_ONCE;

	/**
	 * Return the exceptions of the body after which the job is dead at once.
	 * @return types of exceptions
	 * @see JobHandler#failOn()
	 */
	@AliasFor(annotation = JobHandler.class, attribute = "failOn")
	Class<? extends Throwable>[] failOn() default {};

	/**
	 * Return the exceptions of the body that count as success.
	 * @return types of exceptions
	 * @see JobHandler#succeedOn()
	 */
	@AliasFor(annotation = JobHandler.class, attribute = "succeedOn")
	Class<? extends Throwable>[] succeedOn() default {};

	/**
	 * Return the name of the {@link RetryPolicy} bean that decides after a failure.
	 * Default: that of the queue's settings.
	 * @return the name of a bean
	 */
	@AliasFor(annotation = JobHandler.class, attribute = "retryPolicy")
	String retryPolicy() default "";

	/**
	 * Return the number of attempts after which a job is given up, 0 for no limit.
	 * Default: that of the queue's settings.
	 * @return the number of attempts, {@value JobHandler#UNSET} for that of the queue
	 * @see JobHandler#maxAttempts()
	 */
	@AliasFor(annotation = JobHandler.class, attribute = "maxAttempts")
	int maxAttempts() default JobHandler.UNSET;

	/**
	 * Return the maximum run time of an attempt, with a unit, such as {@code 30s} or
	 * {@code 1h}; placeholders are resolved. Default: {@code max-run-time} of the queue's
	 * settings.
	 * @return a duration, or empty
	 */
	@AliasFor(annotation = JobHandler.class, attribute = "maxRunTime")
	String maxRunTime() default "";

	/**
	 * Return the delays after the first, second, … failed attempt, each with a unit, such
	 * as {@code 10s}; the last delay repeats; placeholders are resolved. Not permitted
	 * with {@link #retryPolicy()}. Default: {@code backoff} of the queue's settings.
	 * @return durations
	 */
	@AliasFor(annotation = JobHandler.class, attribute = "backoff")
	String[] backoff() default {};

}
