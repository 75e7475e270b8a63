/**
 * How long the pages of the dashboard take at large tables. Not API.
 */
@NullMarked
package io.jobqueue.benchmark.dashboard;

import org.jspecify.annotations.NullMarked;
