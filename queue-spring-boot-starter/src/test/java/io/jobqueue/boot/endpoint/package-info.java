@NullMarked
package io.jobqueue.boot.endpoint;

import org.jspecify.annotations.NullMarked;
