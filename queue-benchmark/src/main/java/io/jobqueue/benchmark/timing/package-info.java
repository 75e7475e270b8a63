/**
 * Clocks, threads and arithmetic that measurements are made with. Not API.
 */
@NullMarked
package io.jobqueue.benchmark.timing;

import org.jspecify.annotations.NullMarked;
