/**
 * Raises alerts for jobs that are late, slow or failing. Not API.
 */
@NullMarked
package io.jobqueue.internal.boot.alert;

import org.jspecify.annotations.NullMarked;
