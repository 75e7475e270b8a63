/**
 * How long an application takes to start. Not API.
 */
@NullMarked
package io.jobqueue.benchmark.startup;

import org.jspecify.annotations.NullMarked;
