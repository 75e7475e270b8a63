@NullMarked
package io.jobqueue.store.postgresql.jobs;

import org.jspecify.annotations.NullMarked;
