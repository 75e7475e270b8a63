@NullMarked
package io.jobqueue.store.postgresql.transaction;

import org.jspecify.annotations.NullMarked;
