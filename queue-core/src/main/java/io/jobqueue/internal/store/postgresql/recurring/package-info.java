/**
 * The schedules of recurring jobs in a PostgreSQL database. Not API.
 */
@NullMarked
package io.jobqueue.internal.store.postgresql.recurring;

import org.jspecify.annotations.NullMarked;
