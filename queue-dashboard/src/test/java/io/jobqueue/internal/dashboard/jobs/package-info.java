/**
 * Tests of the pages of jobs.
 */
@NullMarked
package io.jobqueue.internal.dashboard.jobs;

import org.jspecify.annotations.NullMarked;
