/**
 * The stores of a PostgreSQL database, and the class that creates them. Not API.
 */
@NullMarked
package io.jobqueue.internal.store.postgresql;

import org.jspecify.annotations.NullMarked;
