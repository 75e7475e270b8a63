@NullMarked
package io.jobqueue.context;

import org.jspecify.annotations.NullMarked;
