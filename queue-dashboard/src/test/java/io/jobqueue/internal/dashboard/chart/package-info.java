/**
 * Tests of the charts.
 */
@NullMarked
package io.jobqueue.internal.dashboard.chart;

import org.jspecify.annotations.NullMarked;
