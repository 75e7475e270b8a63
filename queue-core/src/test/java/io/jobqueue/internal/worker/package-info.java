@NullMarked
package io.jobqueue.internal.worker;

import org.jspecify.annotations.NullMarked;
