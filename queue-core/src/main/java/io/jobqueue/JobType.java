package io.jobqueue;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the job type of a payload class, independently of the class's own name, and says
 * where its jobs go by default.
 *
 * <pre class="code">
 * &#64;JobType(value = "confirmation-email", queue = "emails", aliases = "signup-mail")
 * record ConfirmationEmail(long userId) {
 * }</pre>
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface JobType {

	/**
	 * Name of the type, as stored with each job. Default: the simple name of the class.
	 * @return the name, at most 200 characters
	 */
	String value() default "";

	/**
	 * Queue of the type's jobs where neither the call nor the handler says otherwise.
	 * @return the queue's name
	 */
	String queue() default "";

	/**
	 * Names under which jobs of this class may still be stored, from before it was
	 * renamed. A handler of the class runs them too; new jobs never get them. None may be
	 * the name or an alias of another class.
	 * @return the names, at most 200 characters each
	 */
	String[] aliases() default {};

}
