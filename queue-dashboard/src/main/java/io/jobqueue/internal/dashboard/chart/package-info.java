/**
 * Charts of the recorded statistics, and the data that they draw. Not API.
 */
@NullMarked
package io.jobqueue.internal.dashboard.chart;

import org.jspecify.annotations.NullMarked;
