@NullMarked
package io.jobqueue.store.postgresql.monitoring;

import org.jspecify.annotations.NullMarked;
