/**
 * The subscriptions to topics in a PostgreSQL database. Not API.
 */
@NullMarked
package io.jobqueue.internal.store.postgresql.topic;

import org.jspecify.annotations.NullMarked;
