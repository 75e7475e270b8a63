@NullMarked
package io.jobqueue.boot.datasource;

import org.jspecify.annotations.NullMarked;
