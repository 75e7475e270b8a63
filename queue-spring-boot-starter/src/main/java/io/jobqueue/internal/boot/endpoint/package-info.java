/**
 * The endpoint {@code /actuator/jobqueue}. Not API.
 */
@NullMarked
package io.jobqueue.internal.boot.endpoint;

import org.jspecify.annotations.NullMarked;
