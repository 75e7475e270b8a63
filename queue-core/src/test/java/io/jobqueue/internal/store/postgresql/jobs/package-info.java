@NullMarked
package io.jobqueue.internal.store.postgresql.jobs;

import org.jspecify.annotations.NullMarked;
