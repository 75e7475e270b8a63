@NullMarked
package io.jobqueue.worker.execution;

import org.jspecify.annotations.NullMarked;
