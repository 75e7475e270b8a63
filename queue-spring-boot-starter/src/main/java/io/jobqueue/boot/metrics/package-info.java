/**
 * Meters of the queue. Not API.
 */
@NullMarked
package io.jobqueue.boot.metrics;

import org.jspecify.annotations.NullMarked;
