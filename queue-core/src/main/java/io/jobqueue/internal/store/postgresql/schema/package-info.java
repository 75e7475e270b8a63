/**
 * Creates, migrates and checks the tables, and checks that the database is supported. Not
 * API.
 */
@NullMarked
package io.jobqueue.internal.store.postgresql.schema;

import org.jspecify.annotations.NullMarked;
