@NullMarked
package io.jobqueue.logging;

import org.jspecify.annotations.NullMarked;
