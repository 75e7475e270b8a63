/**
 * The API that applications import: {@link io.jobqueue.JobQueue} enqueues jobs,
 * {@link io.jobqueue.JobHandler @JobHandler} marks the methods that handle them.
 */
@NullMarked
package io.jobqueue;

import org.jspecify.annotations.NullMarked;
