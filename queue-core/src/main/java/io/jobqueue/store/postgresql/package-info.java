/**
 * The stores of a PostgreSQL database, and what makes them. Not API.
 */
@NullMarked
package io.jobqueue.store.postgresql;

import org.jspecify.annotations.NullMarked;
