@NullMarked
package io.jobqueue.interceptor;

import org.jspecify.annotations.NullMarked;
