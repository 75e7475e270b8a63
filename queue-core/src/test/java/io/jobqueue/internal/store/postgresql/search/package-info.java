@NullMarked
package io.jobqueue.internal.store.postgresql.search;

import org.jspecify.annotations.NullMarked;
