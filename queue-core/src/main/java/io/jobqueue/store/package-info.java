/**
 * The port to the database, in verbs of a job's life. It assumes a relational database
 * that the application's own transactions write to as well: it needs row locks that can
 * be skipped instead of waited for, sequences, locks by name that end with their
 * transaction, commits that need not wait for the disk, isolation by READ COMMITTED, one
 * clock of the server, and keyset positions of time and sequence in an index. PostgreSQL
 * is the only database that it is written and measured for. Not API.
 */
@NullMarked
package io.jobqueue.store;

import org.jspecify.annotations.NullMarked;
