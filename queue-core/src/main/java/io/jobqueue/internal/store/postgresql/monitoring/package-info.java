/**
 * Reads what gauges and alerts show of PostgreSQL, at a bounded cost. Not API.
 */
@NullMarked
package io.jobqueue.internal.store.postgresql.monitoring;

import org.jspecify.annotations.NullMarked;
