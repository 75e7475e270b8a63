@NullMarked
package io.jobqueue.internal.context;

import org.jspecify.annotations.NullMarked;
