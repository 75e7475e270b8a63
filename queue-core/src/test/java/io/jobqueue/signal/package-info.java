@NullMarked
package io.jobqueue.signal;

import org.jspecify.annotations.NullMarked;
