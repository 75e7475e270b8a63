@NullMarked
package io.jobqueue.store.postgresql.recurring;

import org.jspecify.annotations.NullMarked;
