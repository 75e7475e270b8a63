package io.jobqueue;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Sets the type name of a payload class, independently of the class's own name, and the
 * default queue of its jobs.
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
	 * Queue of the type's jobs if neither the call nor the handler names one.
	 * @return the queue's name
	 */
	String queue() default "";

	/**
	 * Earlier names of the type, under which jobs may still be stored. A handler of the
	 * class runs these jobs as well; new jobs never have these names. None may be the
	 * name or an alias of another class.
	 * @return the names, at most 200 characters each
	 */
	String[] aliases() default {};

}
