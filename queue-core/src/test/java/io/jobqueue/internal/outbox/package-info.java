@NullMarked
package io.jobqueue.internal.outbox;

import org.jspecify.annotations.NullMarked;
