/**
 * How long a job takes from its commit to its handler. Not API.
 */
@NullMarked
package io.jobqueue.benchmark.latency;

import org.jspecify.annotations.NullMarked;
