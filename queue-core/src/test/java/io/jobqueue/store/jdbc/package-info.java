@NullMarked
package io.jobqueue.store.jdbc;

import org.jspecify.annotations.NullMarked;
