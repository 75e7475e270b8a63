/**
 * Runs statements of the queue: connections, transactions, parameters and columns. Not
 * API.
 */
@NullMarked
package io.jobqueue.internal.store.postgresql.transaction;

import org.jspecify.annotations.NullMarked;
