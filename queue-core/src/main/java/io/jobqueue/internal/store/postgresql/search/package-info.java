/**
 * Finds and counts jobs for display, in steps along an index. Not API.
 */
@NullMarked
package io.jobqueue.internal.store.postgresql.search;

import org.jspecify.annotations.NullMarked;
