@NullMarked
package io.jobqueue.internal.store.postgresql.signal;

import org.jspecify.annotations.NullMarked;
