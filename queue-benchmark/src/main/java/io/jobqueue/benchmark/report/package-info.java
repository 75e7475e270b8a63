/**
 * Reports of a run, with tables and charts. Not API.
 */
@NullMarked
package io.jobqueue.benchmark.report;

import org.jspecify.annotations.NullMarked;
