/**
 * Creates, migrates and checks the tables, and refuses databases without support. Not
 * API.
 */
@NullMarked
package io.jobqueue.store.postgresql.schema;

import org.jspecify.annotations.NullMarked;
