/**
 * Measures the queue beside plain SQL on the same database, in the same run. Not API.
 * <p>
 * A new scenario is a class that implements {@link io.jobqueue.benchmark.Scenario} and a
 * line in {@link io.jobqueue.benchmark.Scenarios}. It gets a
 * {@link io.jobqueue.benchmark.Workbench}, which scales its sizes, lets contenders
 * alternate and knows the database, and returns a {@link io.jobqueue.benchmark.Result}.
 * {@link io.jobqueue.benchmark.MeasuredQueue} is an application to measure,
 * {@link io.jobqueue.benchmark.OtherJvm} another process. Whatever a bar names has to be
 * a figure of the result.
 */
@NullMarked
package io.jobqueue.benchmark;

import org.jspecify.annotations.NullMarked;
