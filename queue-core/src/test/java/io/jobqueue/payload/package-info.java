@NullMarked
package io.jobqueue.payload;

import org.jspecify.annotations.NullMarked;
