@NullMarked
package io.jobqueue.internal.store.postgresql.transaction;

import org.jspecify.annotations.NullMarked;
