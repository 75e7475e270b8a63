/**
 * Finds and counts jobs for people, step by step along an index. Not API.
 */
@NullMarked
package io.jobqueue.store.postgresql.search;

import org.jspecify.annotations.NullMarked;
