@NullMarked
package io.jobqueue.observation;

import org.jspecify.annotations.NullMarked;
