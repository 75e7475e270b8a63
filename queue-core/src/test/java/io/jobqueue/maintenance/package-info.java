@NullMarked
package io.jobqueue.maintenance;

import org.jspecify.annotations.NullMarked;
