/**
 * What a job takes along from the thread that enqueues it, and what log lines about it
 * are marked with. Not API.
 */
@NullMarked
package io.jobqueue.context;

import org.jspecify.annotations.NullMarked;
