/**
 * What scenarios hang in: rounds, sizes, bars and results. Not API.
 */
@NullMarked
package io.jobqueue.benchmark.frame;

import org.jspecify.annotations.NullMarked;
