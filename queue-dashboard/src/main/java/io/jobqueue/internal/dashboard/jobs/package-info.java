/**
 * Pages of jobs: lists, errors and single jobs. Not API.
 */
@NullMarked
package io.jobqueue.internal.dashboard.jobs;

import org.jspecify.annotations.NullMarked;
