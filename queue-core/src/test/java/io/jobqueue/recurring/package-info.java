@NullMarked
package io.jobqueue.recurring;

import org.jspecify.annotations.NullMarked;
