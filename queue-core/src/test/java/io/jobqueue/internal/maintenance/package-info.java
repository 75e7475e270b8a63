@NullMarked
package io.jobqueue.internal.maintenance;

import org.jspecify.annotations.NullMarked;
