@NullMarked
package io.jobqueue.store.postgresql.search;

import org.jspecify.annotations.NullMarked;
