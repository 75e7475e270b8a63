@NullMarked
package io.jobqueue.internal.boot.endpoint;

import org.jspecify.annotations.NullMarked;
