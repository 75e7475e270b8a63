@NullMarked
package io.jobqueue.policy;

import org.jspecify.annotations.NullMarked;
