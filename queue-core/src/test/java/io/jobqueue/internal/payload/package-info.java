@NullMarked
package io.jobqueue.internal.payload;

import org.jspecify.annotations.NullMarked;
