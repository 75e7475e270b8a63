@NullMarked
package io.jobqueue.internal.worker.fetch;

import org.jspecify.annotations.NullMarked;
