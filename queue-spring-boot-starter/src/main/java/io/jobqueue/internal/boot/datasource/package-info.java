/**
 * The data source of the queue: its selection, its size and connections beside its pool.
 * Not API.
 */
@NullMarked
package io.jobqueue.internal.boot.datasource;

import org.jspecify.annotations.NullMarked;
