package io.jobqueue.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Configures the job queue of a test class. A {@code @SpringBootTest} needs it only for
 * other values than the defaults. In a slice such as {@code @DataJpaTest} it adds the job
 * queue and its {@link TestJobs}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureTestJobs {

	/**
	 * Whether due jobs run on the enqueuing thread, after its commit. The property
	 * {@code jobqueue.test.inline} does the same for all test classes.
	 * @return {@code true} to run them inline
	 */
	boolean inline() default false;

	/**
	 * Whether a background worker runs, as in production. {@link TestJobs#advance} is
	 * refused then. The property {@code jobqueue.test.worker} does the same for all test
	 * classes.
	 * @return {@code true} to run a worker
	 */
	boolean worker() default false;

	/**
	 * Whether {@link TestJobs#advance} ticks schedules. If not, only
	 * {@link TestJobs#tick} does. A background worker always ticks them.
	 * {@code jobqueue.test.recurring} does the same for all test classes.
	 * @return {@code true} to tick them
	 */
	boolean recurring() default false;

	/**
	 * Whether the limits over all workers, {@code rate} and {@code cluster-concurrency},
	 * apply to the runs of {@link TestJobs} and to inline jobs. A background worker
	 * always keeps them. The property {@code jobqueue.test.limits} does the same for all
	 * test classes.
	 * @return {@code true} to apply them
	 */
	boolean limits() default false;

}
