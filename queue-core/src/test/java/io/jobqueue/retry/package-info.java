@NullMarked
package io.jobqueue.retry;

import org.jspecify.annotations.NullMarked;
