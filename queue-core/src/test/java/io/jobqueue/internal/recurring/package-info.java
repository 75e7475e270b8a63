@NullMarked
package io.jobqueue.internal.recurring;

import org.jspecify.annotations.NullMarked;
