/**
 * Enqueues, claims, completes and changes jobs on PostgreSQL, and registers workers. Not
 * API.
 */
@NullMarked
package io.jobqueue.internal.store.postgresql.jobs;

import org.jspecify.annotations.NullMarked;
