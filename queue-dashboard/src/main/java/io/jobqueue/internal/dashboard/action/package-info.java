/**
 * Actions on one job, and on all jobs of a filter in steps that the page requests. Not
 * API.
 */
@NullMarked
package io.jobqueue.internal.dashboard.action;

import org.jspecify.annotations.NullMarked;
