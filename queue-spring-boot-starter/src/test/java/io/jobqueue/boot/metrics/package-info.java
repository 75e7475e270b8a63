@NullMarked
package io.jobqueue.boot.metrics;

import org.jspecify.annotations.NullMarked;
