@NullMarked
package io.jobqueue.internal.worker.completion;

import org.jspecify.annotations.NullMarked;
