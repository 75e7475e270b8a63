@NullMarked
package io.jobqueue.internal.worker.execution;

import org.jspecify.annotations.NullMarked;
