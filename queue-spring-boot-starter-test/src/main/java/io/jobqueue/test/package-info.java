/**
 * Tests of jobs: {@link io.jobqueue.test.TestJobs} runs them on the thread of the test,
 * {@link io.jobqueue.test.JobAssertions} checks what was enqueued.
 */
@NullMarked
package io.jobqueue.test;

import org.jspecify.annotations.NullMarked;
