/**
 * Sends wake-ups between nodes by NOTIFY and LISTEN. Not API.
 */
@NullMarked
package io.jobqueue.internal.store.postgresql.signal;

import org.jspecify.annotations.NullMarked;
