@NullMarked
package io.jobqueue.store.postgresql.schema;

import org.jspecify.annotations.NullMarked;
