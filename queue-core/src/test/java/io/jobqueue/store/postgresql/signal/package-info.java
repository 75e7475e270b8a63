@NullMarked
package io.jobqueue.store.postgresql.signal;

import org.jspecify.annotations.NullMarked;
