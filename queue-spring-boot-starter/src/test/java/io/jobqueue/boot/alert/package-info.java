@NullMarked
package io.jobqueue.boot.alert;

import org.jspecify.annotations.NullMarked;
