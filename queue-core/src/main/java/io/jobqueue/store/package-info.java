/**
 * The port to the database, in verbs of a job's life; it assumes nothing that only one
 * database can do. Not API.
 */
@NullMarked
package io.jobqueue.store;

import org.jspecify.annotations.NullMarked;
