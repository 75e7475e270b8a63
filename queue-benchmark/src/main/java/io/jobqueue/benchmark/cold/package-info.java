/**
 * Rates and latencies of JVMs that have just started. Not API.
 */
@NullMarked
package io.jobqueue.benchmark.cold;

import org.jspecify.annotations.NullMarked;
