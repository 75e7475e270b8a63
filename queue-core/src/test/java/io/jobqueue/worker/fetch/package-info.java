@NullMarked
package io.jobqueue.worker.fetch;

import org.jspecify.annotations.NullMarked;
