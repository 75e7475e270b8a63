@NullMarked
package io.jobqueue.internal.event;

import org.jspecify.annotations.NullMarked;
