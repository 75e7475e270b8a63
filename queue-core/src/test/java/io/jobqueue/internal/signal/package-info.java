@NullMarked
package io.jobqueue.internal.signal;

import org.jspecify.annotations.NullMarked;
