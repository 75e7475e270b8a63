@NullMarked
package io.jobqueue.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;
