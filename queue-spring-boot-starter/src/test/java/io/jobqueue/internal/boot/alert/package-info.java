@NullMarked
package io.jobqueue.internal.boot.alert;

import org.jspecify.annotations.NullMarked;
