/**
 * Topics: finds the subscriptions of a published job, and declares those of the handlers
 * of this application. Not API.
 */
@NullMarked
package io.jobqueue.internal.topic;

import org.jspecify.annotations.NullMarked;
