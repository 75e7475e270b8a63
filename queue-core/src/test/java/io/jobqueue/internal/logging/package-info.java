@NullMarked
package io.jobqueue.internal.logging;

import org.jspecify.annotations.NullMarked;
