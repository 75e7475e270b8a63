@NullMarked
package io.jobqueue.internal.store.postgresql.monitoring;

import org.jspecify.annotations.NullMarked;
