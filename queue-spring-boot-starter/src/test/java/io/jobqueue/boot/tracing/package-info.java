@NullMarked
package io.jobqueue.boot.tracing;

import org.jspecify.annotations.NullMarked;
