@NullMarked
package io.jobqueue.handler;

import org.jspecify.annotations.NullMarked;
