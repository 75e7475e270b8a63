/**
 * The settings of a worker and of its queues, retry policies and backoffs. Not API.
 */
@NullMarked
package io.jobqueue.internal.policy;

import org.jspecify.annotations.NullMarked;
