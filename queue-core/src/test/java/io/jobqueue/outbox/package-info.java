@NullMarked
package io.jobqueue.outbox;

import org.jspecify.annotations.NullMarked;
