/**
 * Wake-ups between nodes by LISTEN and NOTIFY. Not API.
 */
@NullMarked
package io.jobqueue.store.postgresql.signal;

import org.jspecify.annotations.NullMarked;
