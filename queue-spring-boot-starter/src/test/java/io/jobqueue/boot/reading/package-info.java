@NullMarked
package io.jobqueue.boot.reading;

import org.jspecify.annotations.NullMarked;
