@NullMarked
package io.jobqueue.internal.boot.metrics;

import org.jspecify.annotations.NullMarked;
