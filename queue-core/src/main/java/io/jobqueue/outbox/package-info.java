/**
 * Enqueueing: validates and encodes jobs, inserts them on the caller's transaction, and
 * publishes wake-ups and events after its commit. Not API.
 */
@NullMarked
package io.jobqueue.outbox;

import org.jspecify.annotations.NullMarked;
