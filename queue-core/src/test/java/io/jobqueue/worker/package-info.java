@NullMarked
package io.jobqueue.worker;

import org.jspecify.annotations.NullMarked;
