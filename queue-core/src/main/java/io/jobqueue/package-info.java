/**
 * What an application imports: enqueue jobs with {@link io.jobqueue.JobQueue}, handle
 * them with {@link io.jobqueue.JobHandler @JobHandler}.
 */
@NullMarked
package io.jobqueue;

import org.jspecify.annotations.NullMarked;
