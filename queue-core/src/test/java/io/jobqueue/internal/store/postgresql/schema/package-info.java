@NullMarked
package io.jobqueue.internal.store.postgresql.schema;

import org.jspecify.annotations.NullMarked;
