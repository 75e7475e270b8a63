/**
 * Measures the queue beside plain SQL on the same database, in the same run.
 */
@NullMarked
package io.jobqueue.benchmark;

import org.jspecify.annotations.NullMarked;
