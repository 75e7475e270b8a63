/**
 * Load, latency and chaos, with plain SQL beside it as the floor.
 */
@NullMarked
package io.jobqueue.benchmark;

import org.jspecify.annotations.NullMarked;
