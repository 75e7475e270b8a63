@NullMarked
package io.jobqueue.internal.operations;

import org.jspecify.annotations.NullMarked;
