@NullMarked
package io.jobqueue.internal.policy;

import org.jspecify.annotations.NullMarked;
