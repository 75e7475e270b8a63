@NullMarked
package io.jobqueue.event;

import org.jspecify.annotations.NullMarked;
