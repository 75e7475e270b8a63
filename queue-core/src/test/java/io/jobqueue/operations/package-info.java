@NullMarked
package io.jobqueue.operations;

import org.jspecify.annotations.NullMarked;
