/**
 * Publishes the events of jobs to the application's listeners. Not API.
 */
@NullMarked
package io.jobqueue.event;

import org.jspecify.annotations.NullMarked;
