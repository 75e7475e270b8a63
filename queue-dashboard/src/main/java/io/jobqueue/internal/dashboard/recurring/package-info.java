/**
 * The schedules of recurring jobs, and what can be done with them. Not API.
 */
@NullMarked
package io.jobqueue.internal.dashboard.recurring;

import org.jspecify.annotations.NullMarked;
