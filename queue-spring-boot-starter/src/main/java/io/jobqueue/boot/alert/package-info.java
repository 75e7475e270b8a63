/**
 * Raises alerts for jobs that are late, slow or failing. Not API.
 */
@NullMarked
package io.jobqueue.boot.alert;

import org.jspecify.annotations.NullMarked;
