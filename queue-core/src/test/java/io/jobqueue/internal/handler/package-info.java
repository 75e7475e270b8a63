@NullMarked
package io.jobqueue.internal.handler;

import org.jspecify.annotations.NullMarked;
