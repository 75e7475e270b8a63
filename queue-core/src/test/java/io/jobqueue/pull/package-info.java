@NullMarked
package io.jobqueue.pull;

import org.jspecify.annotations.NullMarked;
