/**
 * Enqueues jobs: validates and encodes them, inserts them in the caller's transaction,
 * and publishes wake-ups and events after its commit. Not API.
 */
@NullMarked
package io.jobqueue.internal.outbox;

import org.jspecify.annotations.NullMarked;
