/**
 * How queues are served: the settings of a worker and of its queues, what follows a
 * failure, and how long to wait before the next attempt. Not API.
 */
@NullMarked
package io.jobqueue.policy;

import org.jspecify.annotations.NullMarked;
