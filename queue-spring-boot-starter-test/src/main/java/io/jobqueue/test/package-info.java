/**
 * Support for tests of jobs: {@link io.jobqueue.test.TestJobs} runs jobs on the thread of
 * the test, {@link io.jobqueue.test.JobAssertions} verifies what was enqueued.
 */
@NullMarked
package io.jobqueue.test;

import org.jspecify.annotations.NullMarked;
