/**
 * Measures the queue beside plain SQL on the same database, in the same run, and checks
 * that it keeps its promises when things break. Not API.
 * <p>
 * A new scenario is a class that implements {@link io.jobqueue.benchmark.frame.Scenario}
 * and a line in {@link io.jobqueue.benchmark.Scenarios}. It gets a
 * {@link io.jobqueue.benchmark.frame.Workbench}, which scales its sizes, lets contenders
 * alternate and knows the database, and returns a
 * {@link io.jobqueue.benchmark.frame.Result}. Whatever a bar names has to be a figure of
 * the result. {@link io.jobqueue.benchmark.subject.MeasuredQueue} is an application to
 * measure, {@link io.jobqueue.benchmark.subject.OtherJvm} another process.
 * <p>
 * Scenarios live in packages by what they ask. These use {@code plain}, {@code frame},
 * {@code subject} and {@code timing}, each of which knows only those after it.
 */
@NullMarked
package io.jobqueue.benchmark;

import org.jspecify.annotations.NullMarked;
