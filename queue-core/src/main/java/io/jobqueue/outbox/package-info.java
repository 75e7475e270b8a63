/**
 * The writer: checks and encodes what is enqueued and inserts it on the caller's
 * transaction. Not API.
 */
@NullMarked
package io.jobqueue.outbox;

import org.jspecify.annotations.NullMarked;
