/**
 * What it costs to look at large tables. Not API.
 */
@NullMarked
package io.jobqueue.benchmark.gauges;

import org.jspecify.annotations.NullMarked;
