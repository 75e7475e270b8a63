@NullMarked
package io.jobqueue.boot.health;

import org.jspecify.annotations.NullMarked;
