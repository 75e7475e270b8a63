@NullMarked
package io.jobqueue.worker.completion;

import org.jspecify.annotations.NullMarked;
