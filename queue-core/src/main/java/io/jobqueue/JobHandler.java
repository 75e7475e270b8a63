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
 * whatever it returns, and fails when it throws. It must have finished its work by then:
 * a declared {@code Future}, {@code CompletionStage} or {@code Publisher} is refused at
 * start. A queue and a type have one handler.
 * <p>
 * Jobs are delivered at least once: a handler may run again after a crash, also where it
 * had already finished, and should therefore be idempotent. While it runs, the queue
 * holds neither a connection nor a transaction for it.
 */
@Documented
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Reflective
public @interface JobHandler {

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
	 * Name of the {@link RetryPolicy} bean that decides after a failure. Default: the one
	 * that the queue's settings describe.
	 * @return the name of a bean
	 */
	String retryPolicy() default "";

}
