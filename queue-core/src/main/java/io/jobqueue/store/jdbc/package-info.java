/**
 * The only SQL: the store on JDBC, with a dialect and migrations per database. Not API.
 */
@NullMarked
package io.jobqueue.store.jdbc;

import org.jspecify.annotations.NullMarked;
