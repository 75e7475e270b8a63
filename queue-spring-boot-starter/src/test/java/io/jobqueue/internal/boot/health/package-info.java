@NullMarked
package io.jobqueue.internal.boot.health;

import org.jspecify.annotations.NullMarked;
