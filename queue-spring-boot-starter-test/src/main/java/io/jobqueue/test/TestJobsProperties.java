package io.jobqueue.test;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of tests. They have no effect outside a Spring test.
 *
 * @param inline whether due jobs run on the enqueuing thread, after its commit
 * @param worker whether a background worker runs
 * @param recurring whether schedules take part when a test moves its time
 * @param limits whether rates and limits of all workers apply to jobs that a test runs
 */
@ConfigurationProperties("jobqueue.test")
record TestJobsProperties(@DefaultValue("false") boolean inline, @DefaultValue("false") boolean worker,
		@DefaultValue("false") boolean recurring, @DefaultValue("false") boolean limits) {
}
