/**
 * Publishes the events of jobs and alerts to the listeners of the application. Not API.
 */
@NullMarked
package io.jobqueue.internal.event;

import org.jspecify.annotations.NullMarked;
