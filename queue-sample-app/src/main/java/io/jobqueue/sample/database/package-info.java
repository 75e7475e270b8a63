/**
 * The embedded PostgreSQL server, whose data stay in the data folder.
 */
@NullMarked
package io.jobqueue.sample.database;

import org.jspecify.annotations.NullMarked;
