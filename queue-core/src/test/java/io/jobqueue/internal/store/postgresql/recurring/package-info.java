@NullMarked
package io.jobqueue.internal.store.postgresql.recurring;

import org.jspecify.annotations.NullMarked;
