@NullMarked
package io.jobqueue.internal.concurrent;

import org.jspecify.annotations.NullMarked;
