@NullMarked
package io.jobqueue.internal.pull;

import org.jspecify.annotations.NullMarked;
