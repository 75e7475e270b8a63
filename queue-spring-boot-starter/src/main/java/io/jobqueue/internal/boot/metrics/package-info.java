/**
 * Meters of the queue. Not API.
 */
@NullMarked
package io.jobqueue.internal.boot.metrics;

import org.jspecify.annotations.NullMarked;
