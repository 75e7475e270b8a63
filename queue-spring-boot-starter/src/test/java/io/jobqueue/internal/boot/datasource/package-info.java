@NullMarked
package io.jobqueue.internal.boot.datasource;

import org.jspecify.annotations.NullMarked;
