/**
 * The interfaces to the database, with one operation for each step of a job. They assume
 * a relational database that also holds the data of the application, with row locks that
 * can be skipped, sequences, named locks that end with their transaction, asynchronous
 * commits, READ COMMITTED isolation, one clock of the server, and index order by time and
 * sequence number. PostgreSQL is the only implementation. Not API.
 */
@NullMarked
package io.jobqueue.internal.store;

import org.jspecify.annotations.NullMarked;
